// The REST client and a session by REST in a harness: a proxy whose answers the test gives, and a manual clock.
import type { GenerateRequest } from '../../../src/protocol/translation.ts';
import type { SignError } from '../../../src/protocol/sign-error.ts';
import { createSignClient } from '../../../src/session/rest/rest-client.ts';
import { ServiceSession, type ServiceSessionOptions } from '../../../src/session/service-session.ts';
import type { SessionEventMap } from '../../../src/session/session-types.ts';
import { RestTransport } from '../../../src/session/transports/rest-transport.ts';
import { FakeNetwork } from '../fake-network.ts';
import { FakeProxy, PROXY } from '../fake-proxy.ts';
import { ManualClock } from '../manual-clock.ts';

export const download: GenerateRequest = {
  content: { type: 'text', data: 'Hello.' },
  output: { format: 'mp4', delivery: { method: 'download' } },
  context: { application: 'test' },
};
export const withMethod = (method: 'stream' | 'display'): GenerateRequest => ({
  ...download,
  output: { format: 'hls', delivery: { method } },
});

export function clientHarness(random = 0) {
  const proxy = new FakeProxy();
  const clock = new ManualClock();
  const client = createSignClient({ proxy: PROXY, fetch: proxy.fetch, clock, random: () => random });
  return { proxy, clock, client };
}

/** The state of a promise, and its value. */
export function watched<Value>(promise: Promise<Value>) {
  const seen: { value?: Value; error?: SignError } = {};
  promise.then(
    (value) => (seen.value = value),
    (error: SignError) => (seen.error = error),
  );
  return seen;
}

const names = [
  'sign-statechange',
  'sign-ready',
  'sign-accepted',
  'sign-appended',
  'sign-result',
  'sign-error',
  'sign-summary',
] as const satisfies (keyof SessionEventMap)[];

type RestOptions = Partial<ServiceSessionOptions> & Partial<ServiceSessionOptions['rest']>;

export function sessionHarness({ background, generateOptions, ...options }: RestOptions = {}) {
  const proxy = new FakeProxy();
  const clock = new ManualClock();
  const network = new FakeNetwork();
  const session = new ServiceSession({
    transport: 'rest',
    url: 'wss://page.example/sign/ws/',
    rest: { proxy: PROXY, background, generateOptions },
    loadRest: () => Promise.resolve(RestTransport),
    mode: 'translate',
    config: { digital_signer: 'RAE' },
    fetch: proxy.fetch,
    clock,
    network,
    random: () => 0.5,
    ...options,
  });
  const events: [name: string, detail: unknown][] = [];
  for (const name of names) session.on(name, (detail) => events.push([name, detail]));
  const details = (name: string) => events.flatMap(([each, detail]) => (each === name ? [detail] : []));
  const errors = () =>
    details('sign-error').map((detail) => {
      const { error, ref } = detail as SessionEventMap['sign-error'];
      return [error.code, error.severity, ref];
    });
  return { proxy, clock, network, session, events, details, errors };
}
