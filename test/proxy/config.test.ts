// The environment variables: what is read, what is refused, and that no message repeats a secret.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsOf } from '../../proxy/config.ts';
import { ConfigError, readConfig } from '../../proxy/index.ts';
import { API, named, problemsOf, secretFile, transport } from './config-harness.ts';

test('one upstream variable is enough, and all others have the defaults of the contract', () => {
  const { elementsDir, ...config } = readConfig(API);
  assert.match(elementsDir, /cdn$/);
  assert.deepEqual(config, {
    site: 'default',
    sites: [],
    features: ['stream', 'rest', 'announcements', 'live'],
    signers: [],
    tickets: 'off',
    ticketKeys: {},
    contextFields: ['application'],
    host: '127.0.0.1',
    port: 8787,
    path: '/sign',
    apiUrl: 'https://api.example.org/base',
    wsUrl: 'wss://api.example.org/base',
    apiKey: null,
    transport: null,
    allowedOrigins: [],
    operatorToken: null,
    maxSocketsPerClient: 32,
    requestsPerMinute: 600,
    messagesPerMinute: 240,
    generatesPerMinute: 120,
    dailySeconds: null,
    dailyCharacters: null,
    monthlyCharacters: null,
    spendingFile: null,
    operationsPort: null,
    monthlySeconds: null,
    redisUrl: null,
    trustProxy: [],
    maxTextBytes: 20_000,
    allowedHosts: [],
    forwardClientAddress: false,
    drainDelay: 0,
    keptFiles: null,
  });
});

test('every variable is read', () => {
  const config = readConfig({
    HOST: '::',
    PORT: '0',
    SIGN_PATH: '/a/b-c',
    SIGN_API_URL: 'http://127.0.0.1:4000/',
    SIGN_WS_URL: 'ws://127.0.0.1:4001/',
    SIGN_API_KEY: 'key-of-the-account-1',
    SIGN_TRANSPORT_URL: 'https://transport.example.org',
    SIGN_AUTH_URL: 'https://auth.example.org',
    SIGN_CLIENT_ID: 'client',
    SIGN_CLIENT_SECRET: 'secret-of-the-client-1',
    SIGN_ALLOWED_ORIGINS: 'https://a.example.org, https://b.example.org:443/,http://LOCALHOST:3000',
    SIGN_OPERATOR_TOKEN: 'token-of-the-operator',
    SIGN_MAX_SOCKETS_PER_CLIENT: '1',
    SIGN_REQUESTS_PER_MINUTE: '2',
    SIGN_MESSAGES_PER_MINUTE: '3',
    SIGN_GENERATES_PER_MINUTE: '4',
    SIGN_DAILY_SECONDS: '3600',
    SIGN_DAILY_CHARACTERS: '50000',
    SIGN_MONTHLY_CHARACTERS: '900000',
    SIGN_OPERATIONS_PORT: '9090',
    SIGN_SPENDING_FILE: '/var/lib/sign/spending.json',
    SIGN_MONTHLY_SECONDS: '90000',
    SIGN_REDIS_URL: 'rediss://user:pass@redis:6379/1',
    SIGN_TRUST_PROXY: '10.0.0.0/8, ::1',
    SIGN_MAX_TEXT_BYTES: '4',
    SIGN_ALLOWED_HOSTS: 'Encoder.internal, 10.1.2.3',
    SIGN_FORWARD_CLIENT_ADDRESS: '1',
    SIGN_DRAIN_DELAY: '20',
    SIGN_KEPT_FILES: '/srv/kept',
  });
  assert.deepEqual(
    { ...config, elementsDir: null },
    {
      site: 'default',
      sites: [],
      features: ['stream', 'rest', 'announcements', 'live'],
      signers: [],
      tickets: 'off',
      ticketKeys: {},
      contextFields: ['application'],
      host: '::',
      port: 0,
      path: '/a/b-c',
      apiUrl: 'http://127.0.0.1:4000',
      wsUrl: 'ws://127.0.0.1:4001',
      apiKey: 'key-of-the-account-1',
      transport: {
        url: 'https://transport.example.org',
        authUrl: 'https://auth.example.org',
        clientId: 'client',
        clientSecret: 'secret-of-the-client-1',
      },
      allowedOrigins: ['https://a.example.org', 'https://b.example.org', 'http://localhost:3000'],
      operatorToken: 'token-of-the-operator',
      maxSocketsPerClient: 1,
      requestsPerMinute: 2,
      messagesPerMinute: 3,
      generatesPerMinute: 4,
      dailySeconds: 3600,
      dailyCharacters: 50_000,
      monthlyCharacters: 900_000,
      operationsPort: 9_090,
      spendingFile: '/var/lib/sign/spending.json',
      monthlySeconds: 90000,
      redisUrl: 'rediss://user:pass@redis:6379/1',
      trustProxy: ['10.0.0.0/8', '::1'],
      maxTextBytes: 4,
      allowedHosts: ['encoder.internal', '10.1.2.3'],
      forwardClientAddress: true,
      drainDelay: 20,
      keptFiles: '/srv/kept',
      elementsDir: null,
    },
  );
});

test('without an upstream the message names the variable and says how to try the proxy without a service', () => {
  const { problems, message } = problemsOf({});
  assert.deepEqual(
    problems.map(({ variable }) => variable),
    ['SIGN_API_URL'],
  );
  assert.match(message, /npx sign-elements-sandbox/);
});

for (const upstream of ['SIGN_API_URL', 'SIGN_WS_URL']) {
  test(`${upstream} alone is an upstream`, () => {
    assert.ok(
      readConfig({ [upstream]: upstream === 'SIGN_API_URL' ? 'http://a.example' : 'ws://a.example' }),
    );
  });
}

test('the announcement API alone is an upstream, and then there is no relay', () => {
  const config = readConfig({
    SIGN_TRANSPORT_URL: 'https://t.example',
    SIGN_AUTH_URL: 'https://a.example',
    SIGN_CLIENT_ID: 'client',
    SIGN_CLIENT_SECRET: 'secret-of-the-client-1',
  });
  assert.deepEqual([config.apiUrl, config.wsUrl], [null, null]);
});

const bad: Record<string, readonly string[]> = {
  HOST: ['a b', 'http://x', '-a/'],
  PORT: ['65536', '-1', '80.5', 'http', '0x50'],
  SIGN_PATH: ['sign', '/', '/sign/', '/a//b', '/a?b', '/../a', '/:x', '/*'],
  SIGN_API_URL: ['api.example.org', 'ftp://x', 'https://', 'https://x/?a=b', 'https://x/#a', 'wss://x'],
  SIGN_WS_URL: ['https://x', 'ws:', 'wss://x?a'],
  SIGN_ALLOWED_ORIGINS: ['*', 'null', 'www.example.org', 'https://x/path', 'https://u:p@x', 'ftp://x'],
  SIGN_MAX_SOCKETS_PER_CLIENT: ['0', 'many'],
  SIGN_REQUESTS_PER_MINUTE: ['0', '-5'],
  SIGN_MESSAGES_PER_MINUTE: ['0', '1e3'],
  SIGN_GENERATES_PER_MINUTE: ['0', 'none'],
  SIGN_TRUST_PROXY: ['true', '10.0.0.0/33', '10.0.0', '::1/129', '10.0.0.0/8/8'],
  SIGN_MAX_TEXT_BYTES: ['0', '9999999'],
  SIGN_ALLOWED_HOSTS: ['https://x', 'a b', 'a/b', 'a:0', 'a:65536', 'fd00::1:x', '[a]:80'],
  SIGN_FORWARD_CLIENT_ADDRESS: ['yes', '2'],
  SIGN_DRAIN_DELAY: ['-1', '3601'],
  SIGN_API_KEY: [
    'k'.repeat(19),
    'with spaces in it at all',
    'line\nbreak-break-break-break',
    'pound£pound£pound£pound£',
    'k'.repeat(8_193),
  ],
  SIGN_OPERATOR_TOKEN: ['t'.repeat(19)],
  SIGN_REDIS_URL: ['http://redis:6379', 'not-a-url-at-all', 'redis://', 'redis://:%zz@redis'],
};
for (const [variable, values] of Object.entries(bad)) {
  test(`${variable} refuses invalid values`, () => {
    for (const value of values) assert.deepEqual(named({ ...API, [variable]: value }), [variable], value);
  });
}

test('all problems are named at once', () => {
  const env = Object.fromEntries(Object.entries(bad).map(([variable, [value]]) => [variable, value]));
  const { problems, message } = problemsOf({ ...env, SIGN_CLIENT_ID: 'alone', SIGN_API_URL: 'nonsense' });
  assert.deepEqual(
    new Set(problems.map(({ variable }) => variable)),
    new Set([...Object.keys(bad), 'SIGN_TRANSPORT_URL', 'SIGN_AUTH_URL', 'SIGN_CLIENT_SECRET']),
  );
  for (const { variable } of problems) assert.ok(message.includes(variable));
  assert.equal(message.split('\n').length, problems.length);
});

test('a client id that Basic credentials cannot carry is a problem', () => {
  const env = { ...API, ...transport, SIGN_CLIENT_SECRET: 'secret-of-the-client-1' };
  assert.deepEqual(named({ ...env, SIGN_CLIENT_ID: 'client:id' }), ['SIGN_CLIENT_ID']);
});

test('no message about a bad configuration contains a secret', () => {
  const { message } = problemsOf({
    SIGN_API_URL: 'https://user:hunter2-a@api.example.org',
    SIGN_WS_URL: 'wss://hunter2-b@api.example.org',
    SIGN_API_KEY: 'hunter2 c',
    SIGN_OPERATOR_TOKEN: 'hunter2',
    SIGN_CLIENT_SECRET_FILE: secretFile('hunter2 in a file'),
    SIGN_REDIS_URL: 'http://:hunter2-d@redis',
  });
  assert.ok(!message.includes('hunter2'), message);
});

test('variables of the announcement API that are missing are each named', () => {
  assert.deepEqual(named({ ...API, SIGN_CLIENT_SECRET_FILE: '/nowhere' }), [
    'SIGN_TRANSPORT_URL',
    'SIGN_AUTH_URL',
    'SIGN_CLIENT_ID',
    'SIGN_CLIENT_SECRET_FILE',
  ]);
});

test('the secrets include all credentials, and the password of Redis by itself when it is long enough', () => {
  const secretsWith = (redisUrl: string): readonly string[] =>
    secretsOf(
      readConfig({
        ...API,
        ...transport,
        SIGN_API_KEY: 'key-of-the-account-1',
        SIGN_CLIENT_SECRET: 'secret-of-the-client-1',
        SIGN_OPERATOR_TOKEN: 'token-of-the-operator',
        SIGN_REDIS_URL: redisUrl,
      }),
    );
  const others = ['key-of-the-account-1', 'secret-of-the-client-1', 'token-of-the-operator'];
  const long = 'redis://user:pass%2Fword-of-the-shared-redis@redis:6379';
  assert.deepEqual(secretsWith(long), [...others, long, 'pass/word-of-the-shared-redis']);
  const short = 'redis://user:password@redis:6379';
  assert.deepEqual(secretsWith(short), [...others, short]);
  assert.deepEqual(secretsWith('redis://redis:6379'), others);
});

test('allowed hosts are normalised as the hosts of URLs are', () => {
  const { allowedHosts } = readConfig({
    SIGN_API_URL: 'https://api.example.org',
    SIGN_ALLOWED_HOSTS: 'fd00:0:0::1, Media.lan., 0xa.9, [fd00:0::1]:80, Media.lan.:8080',
  });
  assert.deepEqual(allowedHosts, ['fd00::1', 'media.lan', '10.0.0.9', '[fd00::1]:80', 'media.lan:8080']);
});

for (const url of [
  'redis://%zz:password@redis',
  'redis://:%zz@redis',
  'redis://redis/abc',
  'redis://redis/0/1',
  'redis://redis/-1',
]) {
  test(`the Redis URL ${url}, which its client cannot read, is refused at the start, without being printed`, () => {
    const env = { SIGN_API_URL: 'https://api.example.org', SIGN_REDIS_URL: url };
    assert.throws(
      () => readConfig(env),
      (error) =>
        error instanceof ConfigError &&
        error.problems.length === 1 &&
        error.problems[0]?.variable === 'SIGN_REDIS_URL' &&
        !error.message.includes(url),
    );
  });
}

for (const url of ['redis://redis', 'rediss://redis/', 'redis://us%65r:p%2Fw@redis:6379/15']) {
  test(`the Redis URL ${url} is accepted`, () => {
    const env = { SIGN_API_URL: 'https://api.example.org', SIGN_REDIS_URL: url };
    assert.equal(readConfig(env).redisUrl, url);
  });
}
