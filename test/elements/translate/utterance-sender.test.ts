// In which order the texts of an element are sent in stream mode, and in which stream each of them is.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { install } from '@sinonjs/fake-timers';
import type { SessionSettings, Transport } from '../../../src/elements/translate/session-settings.ts';
import { TranslateUtterance } from '../../../src/elements/translate/translate-utterance.ts';
import { UtteranceSender } from '../../../src/elements/translate/utterance-sender.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { replaceGlobals } from '../../replace-globals.ts';
import { FakeProxy, PROXY } from '../../session/fake-proxy.ts';
import { FakeSocket } from '../../session/fake-socket.ts';

/** Turns of the event loop in which code that is loaded when it is needed has surely loaded. */
const MANY_TURNS = 100_000;

class Harness {
  readonly sockets: FakeSocket[] = [];
  readonly proxy = new FakeProxy();
  readonly utterances: TranslateUtterance[] = [];
  readonly sender = new UtteranceSender(() => this.utterances, {
    emit: () => {},
    result: () => {},
    failed: (utterance, reason) => utterance.reject(reason),
    streamed: () => {},
    streamLost: () => {},
    prepareStreams: () => {},
    stateChanged: () => this.sender.sendWaiting(true),
  });
  readonly clock = install({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  readonly settings: SessionSettings;

  constructor(t: TestContext, transport: Transport) {
    t.after(() => {
      this.sender.reset();
      this.clock.uninstall();
    });
    const { sockets } = this;
    // The waits are the longest ones.
    t.mock.method(Math, 'random', () => 0);
    replaceGlobals(t, {
      navigator: { onLine: true },
      fetch: this.proxy.fetch,
      WebSocket: class extends FakeSocket {
        constructor(url: string) {
          super(url);
          sockets.push(this);
        }
      },
    });
    this.settings = {
      proxy: PROXY,
      transport,
      mode: 'stream',
      config: { digital_signer: 'RAE' },
      background: null,
      generateOptions: null,
      ticket: null,
    };
    this.sender.active = true;
    void this.sender.connect(this.settings).catch(() => {});
  }

  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }

  /** Texts that were sent over the newest socket. */
  get asked(): unknown[] {
    return this.socket.asked.map(({ data }) => data);
  }

  async until(sentence: string, isSo: () => boolean): Promise<void> {
    for (let turn = 0; turn < MANY_TURNS && !isSo(); turn += 1) await promisesSettled();
    assert.ok(isSo(), sentence);
  }

  /** The newest socket gets its session, with a stream of this name. */
  async ready(stream: string): Promise<void> {
    this.socket.open();
    const manifests = { hls: `https://media.example/${stream}.m3u8` };
    this.socket.say({ type: 'session.ready', session_id: stream, manifests });
    await promisesSettled();
  }

  add(text: string): TranslateUtterance {
    const utterance = new TranslateUtterance(text, this.settings, true);
    this.utterances.push(utterance);
    return utterance;
  }
}

test('a text is not sent before an earlier one for which a prepared clip is looked for', async (t) => {
  const harness = new Harness(t, 'v3');
  await harness.until('a socket is opened', () => harness.sockets.length > 0);
  await harness.ready('one');
  const first = harness.add('First.');
  // As the queue marks it while it looks for a clip.
  first.loaded = true;
  harness.add('Second.');
  harness.sender.sendWaiting(true);
  assert.deepEqual(harness.asked, []);
  first.loaded = false;
  harness.sender.sendWaiting(true);
  harness.socket.ack();
  assert.deepEqual(harness.asked, ['First.', 'Second.']);
});

/** A harness in which REST has signed one text, and V3, which is tried again, gets a session while `text` is under way by REST. */
async function backToV3(t: TestContext, text: string): Promise<[Harness, TranslateUtterance]> {
  const harness = new Harness(t, 'auto');
  await harness.until('a socket is opened', () => harness.sockets.length > 0);
  await harness.clock.tickAsync(10_000);
  await harness.until('REST has taken over', () => harness.sender.state === 'ready');
  await harness.clock.tickAsync(30_000);
  assert.equal(harness.sockets.length, 2);
  const utterance = harness.add(text);
  harness.sender.sendWaiting(true);
  await harness.until('it goes by REST', () => harness.proxy.texts.includes(text));
  await harness.ready('session');
  assert.equal(harness.sender.manifests?.hls, 'https://media.example/session.m3u8');
  return [harness, utterance];
}

test('a text whose stream by REST comes after the session over V3 is in its own stream, and the next text in that of the session', async (t) => {
  const [harness, first] = await backToV3(t, 'First.');
  await harness.proxy.request('First.').answer({ manifests: { hls: 'https://media.example/first.m3u8' } });
  assert.deepEqual([first.position?.url, first.position?.own], ['https://media.example/first.m3u8', true]);
  first.session!.started(first.ref);
  harness.utterances.shift();
  const next = harness.add('Next.');
  harness.sender.sendWaiting(true);
  harness.socket.ack();
  await promisesSettled();
  assert.deepEqual([next.position?.url, next.position?.own], ['https://media.example/session.m3u8', false]);
});

test('a text is not sent over V3 while an earlier one is shown in its own stream', async (t) => {
  const [harness, first] = await backToV3(t, 'First.');
  await harness.proxy.request('First.').answer({ manifests: { hls: 'https://media.example/first.m3u8' } });
  first.session!.started(first.ref);
  harness.add('Next.');
  harness.sender.sendWaiting(true);
  assert.deepEqual(harness.asked, []);
  harness.utterances.shift();
  harness.sender.sendWaiting(true);
  assert.deepEqual(harness.asked, ['Next.']);
});

test('a text waits for no session of other settings that could not be opened', async (t) => {
  const harness = new Harness(t, 'v3');
  await harness.until('a socket is opened', () => harness.sockets.length > 0);
  harness.sender.reset();
  // What cannot be cloned opens no session.
  const hls = { odd: () => {} };
  const config = { digital_signer: 'RAE', hls };
  let refused: unknown;
  harness.sender.connect({ ...harness.settings, config }).catch((error: unknown) => (refused = error));
  // Now it is being opened.
  await Promise.resolve();
  harness.add('Hello.');
  harness.sender.sendWaiting(true);
  await harness.until('the session is refused', () => refused !== undefined);
  await harness.until('a socket is opened', () => harness.sockets.length > 1);
  await harness.ready('one');
  assert.deepEqual(harness.asked, ['Hello.']);
});
