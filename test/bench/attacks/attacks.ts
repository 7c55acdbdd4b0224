// The attacks of the bench, one in each row: what a client does, its effect on the first proxy, and a figure of its effect now.
import { WebSocket } from 'ws';
import { setTimeout } from 'node:timers/promises';
import { until } from '../../until.ts';
import { cpuMicroseconds, residentBytes } from '../../proxy/footprint.ts';
import { openClient, SESSION_START } from '../../proxy/client-socket.ts';
import { answerAtOnce, from, generate, SITE, statusOf, type Harness } from './harness.ts';

export interface Attack {
  readonly what: string;
  /** Its effect on the first proxy. */
  readonly before: string;
  /** Variables of the program in place of the usual ones. */
  readonly env?: NodeJS.ProcessEnv;
  /** Its effect now, and whether that is within the bound. */
  run(harness: Harness): Promise<readonly [now: string, isMet: boolean]>;
}

const MB = 1024 * 1024;
const FRAME_BYTES = 64 * 1024;
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** CPU time in milliseconds for a frame of 64 kB that is filled with `part`. */
async function costOf({ relay, pid }: Harness, part: string, address: string): Promise<number> {
  const client = await openClient(relay, from(address));
  client.socket.send(SESSION_START);
  const data = `[${part.repeat(FRAME_BYTES)}`.slice(0, FRAME_BYTES);
  const sendAll = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) client.socket.send(data);
    client.socket.ping();
    await new Promise((answered) => client.socket.once('pong', answered));
  };
  await sendAll(20);
  const before = cpuMicroseconds(pid);
  await sendAll(100);
  const cost = (cpuMicroseconds(pid) - before) / 1000 / 100;
  client.socket.terminate();
  return cost;
}

const submit = ({ origin }: Harness, address: string, n: number): Promise<number> =>
  statusOf(
    fetch(`${origin}/sign/v1/sign-requests/train-announcements`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...from(address) },
      body: JSON.stringify({ destination: 'KGX', platform: n }),
    }),
  );

/** Requests that the service does not answer; resolves with how many of them are under way. */
async function slowRequests(
  harness: Harness,
  count: number,
  address: (n: number) => string,
): Promise<number> {
  const { service } = harness;
  const waiting: (() => void)[] = [];
  service.answer = (response, { request }) => {
    const answer = (): void => void response.writeHead(200).end('{}');
    if (request.url?.includes('/slow-')) waiting.push(answer);
    else answer();
  };
  const asked = times(count, (n) =>
    statusOf(fetch(`${harness.origin}/sign/v1/status/slow-${n}`, { headers: from(address(n)) })),
  );
  let refused = 0;
  for (const each of asked) {
    each.then(
      (status) => (refused += status === 200 ? 0 : 1),
      () => (refused += 1),
    );
  }
  await until(() => waiting.length + refused === count);
  const underWay = waiting.length;
  answerAtOnce(service);
  const others = await Promise.all(
    times(40, (n) =>
      statusOf(fetch(`${harness.origin}/sign/v1/status/other-${n}`, { headers: from(`198.51.100.${n}`) })),
    ),
  );
  for (const answer of waiting) answer();
  await Promise.all(asked);
  if (others.some((status) => status !== 200)) throw new Error(`others got ${others.join()}`);
  return underWay;
}

export const attacks: readonly Attack[] = [
  {
    what: 'frames of 64 kB full of `"\\u"`: CPU of one, as a multiple of a plain one',
    before: '117 to 134 ms, some 1,000 times',
    env: { SIGN_MESSAGES_PER_MINUTE: '1000000' },
    async run(harness) {
      const plain = await costOf(harness, '"abc",', '192.0.2.1');
      const hostile = await costOf(harness, '"\\u"', '192.0.2.2');
      const factor = hostile / plain;
      return [`${hostile.toFixed(2)} ms, ${factor.toFixed(1)} times`, factor <= 20];
    },
  },
  {
    what: '32 sockets that send over the rate and never read: memory, and how many are open after it',
    before: '77 to 391 MB, all 32',
    async run({ relay, pid }) {
      const clients = await Promise.all(times(32, () => openClient(relay, from('192.0.2.3'))));
      const before = residentBytes(pid);
      const frame = JSON.stringify({ type: 'text', id: 'x'.repeat(60_000), data: 'Hello.' });
      for (const { socket } of clients) {
        socket.pause();
        socket.send(SESSION_START);
        for (let n = 0; n < 200; n += 1) socket.send(frame);
      }
      let most = before;
      for (let n = 0; n < 50; n += 1) {
        await setTimeout(100);
        most = Math.max(most, residentBytes(pid));
      }
      for (const { socket } of clients) socket.resume();
      await Promise.race([Promise.all(clients.map(({ closed }) => closed)), setTimeout(10_000)]);
      const open = clients.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length;
      for (const { socket } of clients) socket.terminate();
      const grown = (most - before) / MB;
      // The frames of two sockets pass, or get `rate_limited`, before the limits of the address are reached.
      return [`${grown.toFixed(0)} MB more, ${open}`, grown < 100 && open <= 3];
    },
  },
  {
    what: '256 slow requests of one address: how many are under way; 40 others are served',
    before: '256, others got 503',
    async run(harness) {
      const underWay = await slowRequests(harness, 256, () => '192.0.2.4');
      return [String(underWay), underWay <= 16];
    },
  },
  {
    what: 'the same from 16 addresses, 400 requests',
    before: 'not measured',
    async run(harness) {
      const underWay = await slowRequests(harness, 400, (n) => `192.0.2.${100 + (n % 16)}`);
      return [String(underWay), underWay <= 180];
    },
  },
  {
    what: 'the same from 400 networks of one IPv6 /48',
    before: 'not measured',
    async run(harness) {
      const underWay = await slowRequests(harness, 400, (n) => `2001:db8:1:${(n * 9).toString(16)}::1`);
      return [String(underWay), underWay <= 180];
    },
  },
  {
    what: '300 requests with 16 logo names each that nobody answers: descriptors open at most',
    before: '10,220, and 18,667 packets of DNS',
    async run(harness) {
      const logo = (n: number, of: number): object => ({ url: `https://n${n}-${of}.example.invalid/a.png` });
      const body = (n: number): object => ({
        output: { delivery: { config: Object.fromEntries(times(16, (of) => [`logo${of}`, logo(n, of)])) } },
      });
      const before = harness.openFiles();
      const asked = Promise.all(times(300, (n) => statusOf(generate(harness, '192.0.2.5', body(n)))));
      let most = before;
      let isOver = false;
      void asked.then(() => (isOver = true));
      while (!isOver) {
        most = Math.max(most, harness.openFiles());
        await setTimeout(5);
      }
      // The sender's own connections are some 300.
      return [`${most - before}`, most - before < 400];
    },
  },
  {
    what: '600 announcements of three IPv6 /64s: how many go up; another address submits one after it',
    before: '1,500, all that there are',
    env: { SIGN_GENERATES_PER_MINUTE: '100000' },
    async run(harness) {
      const statuses = await Promise.all(times(600, (n) => submit(harness, `2001:db8:1:${n % 3}::1`, n)));
      const up = statuses.filter((status) => status === 200).length;
      return [String(up), up <= 225 && (await submit(harness, '198.51.100.1', 1)) === 200];
    },
  },
  {
    what: '608 paid requests of one address at once: how many go up',
    before: '608',
    async run(harness) {
      const statuses: number[] = [];
      for (let n = 0; n < 76; n += 1)
        statuses.push(...(await Promise.all(times(8, () => statusOf(generate(harness, '192.0.2.6'))))));
      const up = statuses.filter((status) => status === 200).length;
      return [String(up), up >= 120 && up <= 140];
    },
  },
  {
    what: '6,000 paid requests of as many networks of one IPv6 /48: how many go up',
    before: 'not measured',
    async run(harness) {
      const began = performance.now();
      let up = 0;
      for (let n = 0; n < 6_000; n += 8) {
        const address = (of: number): string => `2001:db8:2:${(n + of).toString(16)}::1`;
        const statuses = await Promise.all(times(8, (of) => statusOf(generate(harness, address(of)))));
        up += statuses.filter((status) => status === 200).length;
      }
      // 16 times 120, and the tokens that were added meanwhile, as many a minute.
      const minutes = (performance.now() - began) / 60_000;
      const most = Math.ceil(16 * 120 * (1 + minutes));
      return [`${up}, of ${most} that may in ${(minutes * 60).toFixed(0)} s`, up <= most];
    },
  },
  {
    what: '`Host: evil.example` with the same Origin; `Sec-Fetch-Site: same-site`: statuses',
    before: '200, 200',
    async run({ origin }) {
      const got = await Promise.all(
        [{ Host: 'evil.example', Origin: 'http://evil.example' }, { 'Sec-Fetch-Site': 'same-site' }].map(
          (headers) =>
            statusOf(
              fetch(`${origin}/sign/v1/silence`, {
                headers: { ...from('192.0.2.7'), ...(headers as object) },
              }),
            ),
        ),
      );
      const allowed = await statusOf(fetch(`${origin}/sign/v1/silence`, { headers: { Origin: SITE } }));
      return [`${got.join(', ')}; the site itself ${allowed}`, got.join() === '403,403' && allowed === 200];
    },
  },
  {
    what: 'first frames of V1 and V2, and of nothing: how many reach the service',
    before: 'each',
    async run({ relay, service }) {
      const firsts = [
        '{"text":"Hello."}',
        '{"type":"session.start","version":"2.0"}',
        '{"type":"text","id":"1"}',
        '{',
      ];
      let reached = 0;
      for (const first of firsts) {
        const client = await openClient(relay, from('192.0.2.8'));
        const session = await service.sessions.next();
        client.socket.send(first);
        await client.frames.next();
        client.socket.terminate();
        await session.closed;
        reached += session.frames.all.length;
      }
      return [String(reached), reached === 0];
    },
  },
];
