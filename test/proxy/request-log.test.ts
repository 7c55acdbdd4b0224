// What the log says of a client and of a trace, and what it does not.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import Fastify, { LogController } from 'fastify';
import { createRedactor } from '../../proxy/credentials/redaction.ts';
import { signTicket } from '../../proxy/index.ts';
import { clientNames } from '../../proxy/request-log.ts';
import { standaloneServer } from '../../proxy/standalone.ts';
import { until } from '../until.ts';
import { openClient, SESSION_START } from './client-socket.ts';
import { fakeUpstream } from './fake-upstream.ts';
import { mountedProxy } from './mounted-proxy.ts';

interface Line {
  readonly msg: string;
  readonly client?: string;
  readonly traceparent?: string;
  readonly code?: string;
  readonly error?: string;
  readonly status?: number;
  readonly refusedWith?: number;
}

function sink() {
  const lines: string[] = [];
  return {
    write: (line: string): void => void lines.push(line),
    lines,
    parsed: (): Line[] => lines.map((line) => JSON.parse(line) as Line),
  };
}

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a client has one name in its lines, another client another, and no line has an address', async (t) => {
  const log = sink();
  const app = Fastify({
    logger: { stream: log },
    logController: new LogController({ disableRequestLogging: true }),
  });
  const { upstream, pair, origin } = await mountedProxy(t, {
    app,
    env: { SIGN_TRUST_PROXY: '127.0.0.1', SIGN_ALLOWED_ORIGINS: 'https://www.example.org' },
  });
  upstream.answer = (response) => void response.writeHead(200).end('{}');
  const ended = async (address: string): Promise<void> => {
    const { client, session } = await pair({ 'X-Forwarded-For': address, traceparent: TRACE });
    client.socket.send(SESSION_START);
    await session.frames.next();
    session.socket.close(1000);
    await client.closed;
  };
  await ended('203.0.113.9');
  await ended('2001:db8::1');
  await ended('203.0.113.9');
  const lines = log.parsed().filter(({ msg }) => msg === 'relay ended');
  const [first, other, again] = lines.map(({ client }) => client);
  assert.match(first ?? '', /^[\da-f]{12}$/);
  assert.equal(again, first);
  assert.match(other ?? '', /^[\da-f]{12}$/);
  assert.notEqual(other, first);
  assert.deepEqual(
    lines.map(({ traceparent }) => traceparent),
    [TRACE, TRACE, TRACE],
  );
  assert.doesNotMatch(log.lines.join(''), /203\.0\.113|2001:db8/);

  for (const [sent, passed] of [
    [TRACE, TRACE],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', undefined],
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-and-more', undefined],
  ]) {
    await fetch(`${origin}/sign/v1/status/job`, { headers: { traceparent: sent ?? '' } });
    assert.equal((await upstream.asked.next()).request.headers.traceparent, passed);
  }
});

test('a name lasts for a day of UTC, and no two starts give the same', () => {
  const [names, ofOther] = [clientNames(), clientNames()];
  const evening = Date.parse('2026-11-23T23:59:59Z');
  const name = names('203.0.113.9', evening);
  assert.equal(names('203.0.113.9', evening), name);
  assert.notEqual(names('203.0.113.9', evening + 1_000), name);
  assert.notEqual(ofOther('203.0.113.9', evening), name);
});

test('a request that cannot be parsed is logged with a code and a name for the peer', async (t) => {
  const log = sink();
  const app = standaloneServer(createRedactor([]), { logTo: log });
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  for (const [sent, code, status] of [
    ['HELLO\r\n\r\n', 'HPE_INVALID_METHOD', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nExpect: 999-hurry\r\nConnection: close\r\n\r\n', 'EXPECTATION', 417],
    [`GET / HTTP/1.1\r\nA: ${'a'.repeat(70_000)}\r\n\r\n`, 'HPE_HEADER_OVERFLOW', 431],
  ] as const) {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.end(sent);
    socket.resume();
    await once(socket, 'close');
    const line = log.parsed().findLast(({ msg }) => msg === 'request not understood');
    assert.deepEqual([line?.code, line?.status], [code, status]);
    assert.match(line?.client ?? '', /^[\da-f]{12}$/);
  }
  assert.doesNotMatch(log.lines.join(''), /HELLO/);
});

test('the log says why the service is not reached, for requests and for access tokens', async (t) => {
  const log = sink();
  const app = Fastify({ logger: { stream: log } });
  const nobody = 'http://127.0.0.1:1';
  const env = {
    SIGN_API_URL: nobody,
    SIGN_TRANSPORT_URL: nobody,
    SIGN_AUTH_URL: nobody,
    SIGN_CLIENT_ID: 'client',
    SIGN_CLIENT_SECRET: 'a-secret-of-twenty-letters',
  };
  const { origin } = await mountedProxy(t, { app, env });
  assert.equal((await fetch(`${origin}/sign/v1/status/job`)).status, 502);
  assert.equal((await fetch(`${origin}/sign/v1/sign-requests/id`)).status, 502);
  assert.deepEqual(
    log.parsed().flatMap(({ msg, error }) => (error === undefined ? [] : [[msg, error]])),
    [
      ['service not reached', 'ECONNREFUSED'],
      ['no access token', 'ECONNREFUSED'],
    ],
  );
});

test('the log names the status with which a server in front of the service redirects or refuses the proxy', async (t) => {
  const log = sink();
  const app = Fastify({ logger: { stream: log } });
  const service = await fakeUpstream();
  t.after(() => service.close());
  const { origin } = await mountedProxy(t, { app, env: { SIGN_API_URL: service.url } });
  for (const status of [301, 407]) {
    service.status = status;
    assert.equal((await fetch(`${origin}/sign/v1/status/job`)).status, 502);
  }
  const reasons = log.parsed().filter(({ msg }) => msg === 'service not reached');
  assert.deepEqual(
    reasons.map(({ code, error }) => [code, error]),
    [
      ['protocol_error', 'status 301'],
      ['upstream_unreachable', 'status 407'],
    ],
  );
});

test('the reason why the service is not reached is logged about 60 times a minute, however many clients ask', async (t) => {
  const log = sink();
  const app = Fastify({ logger: { stream: log } });
  const { origin } = await mountedProxy(t, { app, env: { SIGN_API_URL: 'http://127.0.0.1:1' } });
  for (let asked = 0; asked < 200; asked += 1)
    await (await fetch(`${origin}/sign/v1/status/${asked}`)).text();
  const reasons = log.parsed().filter(({ msg }) => msg === 'service not reached');
  assert.ok(reasons.length < 120, String(reasons.length));
});

test('each line of an access token that is not there names why, however many ask', async (t) => {
  const log = sink();
  const app = Fastify({ logger: { stream: log } });
  const nobody = 'http://127.0.0.1:1';
  const env = {
    SIGN_TRANSPORT_URL: nobody,
    SIGN_AUTH_URL: nobody,
    SIGN_CLIENT_ID: 'client',
    SIGN_CLIENT_SECRET: 'a-secret-of-twenty-letters',
  };
  const { origin } = await mountedProxy(t, { app, env });
  for (let asked = 0; asked < 40; asked += 1)
    assert.equal((await fetch(`${origin}/sign/v1/sign-requests/${asked}`)).status, 502);
  const reasons = log.parsed().filter(({ msg }) => msg === 'no access token');
  assert.deepEqual(
    reasons.map(({ error }) => error),
    Array(12).fill('ECONNREFUSED'),
  );
});

test('a page that leaves while the service is connected to, and an upgrade that the service refuses, are no faults of its socket', async (t) => {
  const log = sink();
  const app = Fastify({ logger: { stream: log, level: 'info' } });
  const { address, upstream } = await mountedProxy(t, { app });
  const ends = (): Line[] => log.parsed().filter(({ msg }) => msg === 'relay ended');
  upstream.upgrades = 'ignore';
  const page = await openClient(address);
  page.socket.close();
  await until(() => ends().length === 1);
  upstream.upgrades = 'refuse';
  await (
    await openClient(address)
  ).closed;
  assert.deepEqual(
    ends().map(({ refusedWith }) => refusedWith),
    [undefined, 426],
  );
  assert.deepEqual(
    log.parsed().filter(({ msg }) => msg === 'socket of service'),
    [],
  );
});

test('the log says why a ticket is refused, and has nothing of the ticket', async (t) => {
  const log = sink();
  const app = Fastify({ logger: { stream: log } });
  const key = 'key-of-the-tickets-of-this-site';
  const { origin } = await mountedProxy(t, { app, env: { SIGN_TICKETS: 'required', SIGN_TICKET_KEY: key } });
  const tickets = {
    EXPIRED: signTicket({ key, seconds: -1 }),
    TOO_FAR_AHEAD: signTicket({ key, seconds: 7_200 }),
    OTHER_SITE: signTicket({ key, site: 'other' }),
    UNKNOWN_KEY: signTicket({ key, keyId: 'k2' }),
    WRONG_MAC: signTicket({ key: 'another-key-of-the-tickets' }),
  };
  for (const ticket of Object.values(tickets))
    assert.equal((await fetch(`${origin}/sign/ws/?ticket=${ticket}`)).status, 401);
  const refused = log.parsed().filter(({ msg }) => msg === 'ticket refused');
  assert.deepEqual(
    refused.map(({ error }) => error),
    Object.keys(tickets),
  );
  const said = JSON.stringify(refused);
  for (const ticket of Object.values(tickets))
    for (const part of ticket.split('.').slice(1)) assert.ok(!said.includes(part));
});
