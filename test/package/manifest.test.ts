// custom-elements.json, from which editors know the elements: it names what the contract names, and where it is.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';

interface Named {
  name: string;
}

interface Attribute extends Named {
  fieldName?: string;
}

interface Member extends Named {
  privacy?: 'public' | 'protected' | 'private';
}

interface Declaration extends Named {
  tagName?: string;
  attributes?: Attribute[];
  events?: Named[];
  members?: Member[];
  cssParts?: Named[];
}

const { modules } = JSON.parse(readFileSync('custom-elements.json', 'utf8')) as {
  modules: { path: string; declarations: Declaration[] }[];
};

const elements = new Map(
  modules.flatMap(({ declarations }) => declarations.map((element) => [element.tagName, element] as const)),
);
const isHidden = ({ privacy = 'public' }: Member): boolean => privacy !== 'public';
const names = (list: Member[] | undefined) =>
  new Set(list?.filter((one) => !isHidden(one)).map(({ name }) => name));

test('every module that the manifest names is one that the package delivers', () => {
  assert.ok(modules.length > 0);
  for (const { path } of modules) assert.ok(/^dist\//.test(path) && existsSync(path), path);
});

const shared = {
  attributes: [
    'proxy',
    'signer',
    'language',
    'resolution',
    'background',
    'controls',
    'placement',
    'open',
    'launcher',
    'remember',
    'lang',
  ],
  events: ['sign-statechange', 'sign-error', 'sign-open', 'sign-close'],
  members: ['play', 'pause', 'currentTime', 'duration', 'media', 'requestPictureInPicture', 'show', 'hide'],
  cssParts: [
    'box',
    'video',
    'idle',
    'message',
    'controls',
    'button',
    'start',
    'toggle',
    'speed',
    'fullscreen',
    'head',
    'launcher',
  ],
};

/** What each element has beside that. */
const own: Readonly<Record<string, Partial<typeof shared>>> = {
  'sign-translate': {
    attributes: ['mode', 'transport', 'text', 'for', 'highlight', 'glossary', 'idle-after', 'debug'],
    events: [
      'ready',
      'accepted',
      'progress',
      'result',
      'start',
      'end',
      'sentence',
      'queuechange',
      'summary',
    ].map((name) => `sign-${name}`),
    members: [
      'sign',
      'clear',
      'replay',
      'connect',
      'end',
      'read',
      'stop',
      'next',
      'previous',
      'queue',
      'skip',
      'retry',
    ],
    cssParts: ['replay'],
  },
  'sign-live-player': {
    attributes: ['session', 'src', 'view', 'protocol', 'target-latency', 'sync-with'],
    members: ['latency', 'liveSession', 'streamType', 'liveEdgeStart', 'targetLiveWindow'],
    cssParts: ['live', 'latency', 'lag'],
  },
  'sign-silence-loop': { attributes: ['format', 'transparent'] },
  'sign-announcement': {
    attributes: ['destination', 'updated-platform', 'calling-at', 'not-calling-at', 'bg-colour', 'cancelled'],
    members: ['announce'],
  },
};

for (const [tag, extra] of Object.entries(own)) {
  test(`${tag} is described with its attributes, events, methods and parts`, () => {
    for (const kind of ['attributes', 'events', 'members', 'cssParts'] as const) {
      const described = names(elements.get(tag)?.[kind]);
      const missing = [...shared[kind], ...(extra[kind] ?? [])].filter((name) => !described.has(name));
      assert.deepEqual(missing, [], kind);
    }
    const events = [...names(elements.get(tag)?.events)];
    assert.deepEqual(
      events.filter((name) => !name.startsWith('sign-')),
      [],
      'what a video fires, every reader knows',
    );
    const { attributes = [], members = [] } = elements.get(tag) ?? {};
    const inside = new Set(members.filter(isHidden).map(({ name }) => name));
    assert.deepEqual(
      attributes.filter(({ fieldName }) => inside.has(fieldName ?? '')),
      [],
      'what is not public is no attribute',
    );
  });
}
