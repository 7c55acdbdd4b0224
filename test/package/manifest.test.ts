// custom-elements.json, which tells editors about the elements, has the names of the contract and the modules that define them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { validateCem } from '@wc-toolkit/cem-validator';

interface Named {
  name: string;
}

interface Typed extends Named {
  type?: { text: string };
}

interface Attribute extends Typed {
  fieldName?: string;
}

interface Member extends Named {
  privacy?: 'public' | 'protected' | 'private';
}

interface Declaration extends Named {
  tagName?: string;
  attributes?: Attribute[];
  events?: Typed[];
  members?: Member[];
  cssParts?: Named[];
}

const { modules, schemaVersion } = JSON.parse(readFileSync('custom-elements.json', 'utf8')) as {
  schemaVersion: string;
  modules: { path: string; declarations: Declaration[]; exports: (Named & { kind: string })[] }[];
};

const elements = new Map(
  modules.flatMap(({ declarations }) => declarations.map((element) => [element.tagName, element] as const)),
);
const names = (list: Named[] | undefined) => new Set(list?.map(({ name }) => name));

test('the manifest has only the four elements, in the modules that deliver and define them', () => {
  const tags = [...elements.keys()].map(String).sort();
  assert.deepEqual(tags, Object.keys(own).sort());
  const files = tags.flatMap((tag) => [`dist/define/${tag}.js`, `dist/elements/${tag}.js`]).sort();
  assert.deepEqual(modules.map(({ path }) => path).sort(), files);
  assert.deepEqual(
    files.filter((path) => !existsSync(path)),
    [],
  );
  const definitions = modules.flatMap(({ exports }) =>
    exports.filter(({ kind }) => kind === 'custom-element-definition'),
  );
  assert.deepEqual([...names(definitions)].sort(), tags);
});

test('the manifest validator finds nothing wrong', async (t) => {
  const said = [
    t.mock.method(console, 'warn'),
    t.mock.method(console, 'log'),
    t.mock.method(console, 'error'),
  ];
  await validateCem({ modules, schemaVersion } as Parameters<typeof validateCem>[0]);
  assert.deepEqual(
    said.flatMap(({ mock }) => mock.calls).map(({ arguments: words }) => words.join(' ')),
    [],
  );
});

test('VS Code and the JetBrains editors get the same attributes, with their allowed words', () => {
  type Word = Named & { values?: Named[] };
  const { tags } = JSON.parse(readFileSync('dist/vscode.html-custom-data.json', 'utf8')) as {
    tags: (Named & { attributes: Word[] })[];
  };
  const { contributions } = JSON.parse(readFileSync('dist/web-types.json', 'utf8')) as {
    contributions: { html: { elements: (Named & { attributes: Named[] })[] } };
  };
  for (const list of [tags, contributions.html.elements]) {
    assert.deepEqual([...names(list)].sort(), Object.keys(own).sort());
    for (const { name, attributes } of list)
      assert.deepEqual(names(attributes), names(elements.get(name)?.attributes), name);
  }
  const mode = tags
    .find(({ name }) => name === 'sign-translate')
    ?.attributes.find(({ name }) => name === 'mode');
  assert.deepEqual(
    mode?.values?.map(({ name }) => name),
    ['translate', 'stream'],
  );
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
  members: [
    ...['play', 'pause', 'currentTime', 'duration', 'media', 'stats', 'requestPictureInPicture'],
    ...['show', 'hide'],
  ],
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

/** What each element has besides these. */
const own: Readonly<Record<string, Partial<typeof shared>>> = {
  'sign-translate': {
    attributes: ['mode', 'transport', 'text', 'for', 'highlight', 'glossary', 'idle-after', 'debug'],
    events: [
      'stats',
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
    events: ['sign-stats'],
    members: ['latency', 'liveSession', 'streamType', 'liveEdgeStart', 'targetLiveWindow'],
    cssParts: ['live', 'latency', 'lag'],
  },
  'sign-silence-loop': { attributes: ['format', 'transparent'] },
  'sign-announcement': {
    attributes: ['destination', 'updated-platform', 'calling-at', 'not-calling-at', 'bg-colour', 'cancelled'],
    events: ['sign-stats'],
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
    const { attributes = [], events = [], members = [] } = elements.get(tag) ?? {};
    for (const { name, type } of events) {
      assert.match(name, /^sign-/, 'what a video fires, every reader knows');
      assert.equal(type?.text, `CustomEvent<SignEventDetails['${name}']>`);
    }
    const inside = members.filter(
      ({ name, privacy = 'public' }) => privacy !== 'public' || name.startsWith('#'),
    );
    assert.deepEqual(inside, [], 'what is not public is not described');
    for (const { name, fieldName, type } of attributes) {
      assert.match(name, /^[a-z-]+$/);
      if (fieldName) assert.ok(names(members).has(fieldName), `${name} is the property ${fieldName}`);
      const aliases = type?.text.replace(/'[^']*'/g, '').match(/\b[A-Z]\w+/g) ?? [];
      assert.deepEqual(
        aliases.filter((word) => word !== 'Readonly' && word !== 'Record'),
        [],
        `the values of ${name} are written out`,
      );
    }
  });
}

/** The section of docs/elements.md on the members of a `<video>`. */
const ofVideo = /^## What a `<video>` has and an element has not\n[^]*/m.exec(
  readFileSync('docs/elements.md', 'utf8'),
)![0];

test('members of a video that the documentation excludes do not exist', () => {
  const [absent] = /(?<=^- Not there: )[^]*?(?=, and the constants)/m.exec(ofVideo)!;
  const members = [...elements.values()].flatMap((element) => [...names(element.members)]);
  const said = [...absent.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  assert.ok(said.length > 10);
  assert.deepEqual(
    said.filter((name) => members.includes(name)),
    [],
  );
});

/** Members that TypeScript gives an interface of the DOM, without those that it inherits. */
function membersOf(type: string): string[] {
  const text = readFileSync('node_modules/typescript/lib/lib.dom.d.ts', 'utf8');
  const [, body] = new RegExp(`^interface ${type} extends .*{\n([^]*?)^}`, 'm').exec(text)!;
  const found = [...body!.matchAll(/^ {4}(?:readonly |get |set )?(\w+)[(<:?]/gm)].map(([, name]) => name!);
  return found.filter((name) => !/^((add|remove)EventListener|(HAVE|NETWORK)_\w+)$/.test(name));
}

for (const [tag, element] of elements) {
  test(`${tag} has each member of a video that the documentation does not exclude`, () => {
    const video = new Set([...membersOf('HTMLMediaElement'), ...membersOf('HTMLVideoElement')]);
    assert.ok(video.size > 50);
    const documented = new Set([...ofVideo.matchAll(/`(?:on)?(\w+)`/g)].map(([, name]) => name!));
    const known = new Set([...names(element.members), ...documented]);
    assert.deepEqual(
      [...video].filter((name) => !known.has(name) && !known.has(name.replace(/^on/, ''))),
      [],
    );
  });
}
