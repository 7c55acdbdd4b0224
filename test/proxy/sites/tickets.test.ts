// Tickets: what a site's server signs, with each helper of the docs, and what is refused without one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readConfig, signTicket } from '../../../proxy/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openClient } from '../client-socket.ts';
import { named } from '../config-harness.ts';
import { mountedProxy, type MountedProxy } from '../mounted-proxy.ts';

const KEY = 'key-of-the-tickets-of-this-site';

async function ticketed(t: TestContext, env: NodeJS.ProcessEnv = {}): Promise<MountedProxy> {
  const proxy = await mountedProxy(t, { env: { SIGN_TICKETS: 'required', SIGN_TICKET_KEY: KEY, ...env } });
  proxy.upstream.answer = (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  return proxy;
}

const generate = async (
  { origin }: MountedProxy,
  ticket?: string,
  body = '{"content":{"data":"Hello."}}',
): Promise<string> => {
  const response = await fetch(`${origin}/sign/v2/generate`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(ticket === undefined ? {} : { 'X-Sign-Ticket': ticket }),
    },
    body,
  });
  const { code = '' } = (await response.json()) as { code?: string };
  return `${response.status} ${code}`.trim();
};

/** Signs any payload. */
function signed(payload: string, keyId = 'default', key = KEY): string {
  const head = `${keyId}.${Buffer.from(payload).toString('base64url')}`;
  return `${head}.${createHmac('sha256', key).update(head).digest('base64url')}`;
}
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

test('where tickets are required, sockets and paid requests need one, and look-ups do not', async (t) => {
  const proxy = await ticketed(t);
  assert.equal(await generate(proxy), '401 ticket_refused');
  await assert.rejects(openClient(proxy.address), /401/);
  const diagnosis = await fetch(`${proxy.origin}/sign/ws/`);
  assert.equal(((await diagnosis.json()) as { code: string }).code, 'ticket_refused');
  assert.equal(proxy.upstream.checks.length, 0);
  assert.equal((await fetch(`${proxy.origin}/sign/v1/silence`)).status, 200);

  const ticket = signTicket({ key: KEY });
  assert.equal(await generate(proxy, ticket), '200');
  const client = await openClient(`${proxy.address}?ticket=${ticket}`);
  client.socket.terminate();
  const { request } = await proxy.upstream.sessions.next();
  assert.equal(request.url, '/ws/', 'the service does not get the ticket');
});

test('the ticket is asked for before the body is checked, because to check a long one takes milliseconds', async (t) => {
  const proxy = await ticketed(t);
  const wrong = '{"content":{}}';
  assert.equal(await generate(proxy, undefined, wrong), '401 ticket_refused');
  assert.equal(await generate(proxy, signTicket({ key: KEY }), wrong), '400 invalid_request');
});

test('the operator needs no ticket', async (t) => {
  const token = 'token-of-the-operator-1';
  const { origin } = await ticketed(t, { SIGN_OPERATOR_TOKEN: token });
  const response = await fetch(`${origin}/sign/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: '{"content":{"data":"Hello."}}',
  });
  assert.equal(response.status, 200);
});

test('a ticket that is expired, of another site or key, too long ahead or changed is refused', async (t) => {
  const proxy = await ticketed(t);
  const good = signTicket({ key: KEY });
  const [keyId, payload = '', mac = ''] = good.split('.');
  for (const ticket of [
    '',
    'default',
    'default..',
    `${good}.`,
    `${keyId}.${payload}.${mac.slice(0, -4)}`,
    `${good}!`,
    `${good}=`,
    `${keyId}.${Buffer.from('{"site":"default","expires":9e9}').toString('base64url')}.${mac}`,
    signTicket({ key: 'another-key-of-20-characters' }),
    signTicket({ key: KEY, keyId: 'other' }),
    signTicket({ key: KEY, keyId: 'constructor' }),
    signTicket({ key: KEY, site: 'other' }),
    signTicket({ key: KEY, seconds: 0 }),
    signTicket({ key: KEY, seconds: 3_700 }),
    signed('null'),
    signed('no json'),
    signed(JSON.stringify({ site: 'default', expires: String(inSeconds(60)) })),
    signed(JSON.stringify({ site: 'default', expires: inSeconds(60), nonce: 'n'.repeat(1_000) })),
  ]) {
    assert.equal(await generate(proxy, ticket), '401 ticket_refused', ticket);
  }
  assert.equal(
    await generate(proxy, signed(JSON.stringify({ site: 'default', expires: inSeconds(60) }))),
    '200',
  );
  assert.equal(proxy.upstream.checks.length, 1);
});

test('a ticket of an hour is good when the clock of the server that signed it is half a minute fast', async (t) => {
  const proxy = await ticketed(t);
  assert.equal(await generate(proxy, signTicket({ key: KEY, seconds: 3_630 })), '200');
});

test('a new key is accepted at once after a reload, and the old one no longer', async (t) => {
  const proxy = await ticketed(t);
  const env = { SIGN_API_URL: proxy.upstream.url, SIGN_TICKETS: 'required' };
  proxy.proxy.reload(readConfig({ ...env, SIGN_TICKET_KEY: 'new-key-of-the-tickets-of-it' }));
  assert.equal(await generate(proxy, signTicket({ key: KEY })), '401 ticket_refused');
  assert.equal(await generate(proxy, signTicket({ key: 'new-key-of-the-tickets-of-it' })), '200');
});

test('required tickets need a key, and a site is chosen by its ticket', async (t) => {
  const api = { SIGN_API_URL: 'https://api.example' };
  assert.deepEqual(named({ ...api, SIGN_TICKETS: 'required' }), ['SIGN_TICKET_KEY']);
  assert.deepEqual(named({ ...api, SIGN_TICKETS: 'yes' }), ['SIGN_TICKETS']);
  const directory = temporaryFolder();
  const file = join(directory, 'sites.json');
  const site = (name: string, more: object): object => ({
    name,
    origins: [`https://${name}.example`],
    ...more,
  });
  writeFileSync(join(directory, 'key'), KEY);
  writeFileSync(file, JSON.stringify({ sites: [site('a', { tickets: 'required' })] }));
  assert.deepEqual(named({ ...api, SIGN_SITES: file }), ['SIGN_SITES']);
  const dotted = { tickets: 'required', ticketKeyFiles: { '2026.11': 'key' } };
  writeFileSync(file, JSON.stringify({ sites: [site('a', dotted)] }));
  assert.deepEqual(named({ ...api, SIGN_SITES: file }), ['SIGN_SITES'], 'no ticket could have this key id');
  const tickets = { tickets: 'required', ticketKeyFiles: { k1: 'key' } };
  writeFileSync(file, JSON.stringify({ sites: [site('a', {}), site('b', tickets)] }));
  const proxy = await ticketed(t, {
    SIGN_TICKETS: '',
    SIGN_TICKET_KEY: '',
    SIGN_API_KEY: '',
    SIGN_SITES: file,
  });
  assert.equal(await generate(proxy, signTicket({ key: KEY, site: 'b', keyId: 'k1' })), '200');
  assert.equal(await generate(proxy, signTicket({ key: KEY, site: 'b' })), '401 ticket_refused');
  const ofNoSite = signTicket({ key: KEY, site: 'c', keyId: 'k1' });
  assert.equal(await generate(proxy, ofNoSite), '401 ticket_refused');

  // After a reload has renamed its site, a page gets an answer that it can read, so that it gets a new ticket.
  const Origin = 'https://b.example';
  const diagnosis = await fetch(`${proxy.origin}/sign/ws/?ticket=${ofNoSite}`, { headers: { Origin } });
  assert.equal(((await diagnosis.json()) as { code: string }).code, 'ticket_refused');
  assert.equal(diagnosis.headers.get('access-control-allow-origin'), Origin);
});

const docs = readFileSync('docs/proxy.md', 'utf8');
const codeOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(docs)?.[1] ?? '';
const helpers = [
  ['python3', 'python', ['-c'], (code: string) => `${code}\nprint(sign_ticket("${KEY}"), end="")`],
  ['php', 'php', ['-r'], (code: string) => `${code.replace('<?php', '')}\necho sign_ticket('${KEY}');`],
] as const;
const installed = helpers.filter(([program]) => spawnSync(program, ['--version']).status === 0);

test('each helper of the docs whose language is installed signs a good ticket, in at most ten lines', async (t) => {
  const proxy = await ticketed(t);
  for (const [program, language, options, wrap] of installed) {
    const code = codeOf(language);
    const { stdout, stderr } = spawnSync(program, [...options, wrap(code)], { encoding: 'utf8' });
    assert.equal(await generate(proxy, stdout), '200', `${program}: ${stderr}`);
  }
  for (const [, language] of helpers) {
    const lines = codeOf(language)
      .split('\n')
      .filter((line) => line.trim() !== '');
    assert.ok(lines.length > 0 && lines.length <= 10, `${language}: ${lines.length} lines`);
  }
});
