// HTTP requests of an attacker, byte by byte: similar enough to valid ones to get past the first checks.
import { mutated, type Random } from './random.ts';

const TARGETS = [
  'POST /sign/v2/generate',
  'POST /sign/v1/generate',
  'GET /sign/v1/silence?language=BSL&signer=RAE',
  'GET /sign/v1/status/abc',
  'POST /sign/v2/live/sessions',
  'GET /sign/v2/live/sessions/abc',
  'DELETE /sign/v2/live/sessions/abc',
  'POST /sign/v1/sign-requests/train-announcements',
  'GET /sign/v1/sign-requests/abc',
  'GET /sign/ws/',
  'GET /sign/elements.js',
  'GET /readyz',
  'GET /metrics',
] as const;
const ODD_TARGETS = [
  'OPTIONS *',
  'HEAD /sign/v1/silence',
  'PUT /sign/v2/generate',
  'TRACE /sign/',
  'CONNECT 127.0.0.1:80',
  'get /sign/v1/silence',
  'P\u00d6ST /sign/v2/generate',
  'GET /sign/../sign/v1/silence',
  'GET /sign/%2e%2e/%00',
  'GET http://127.0.0.1:1/sign/v1/silence',
  'POST /sign/v1/status/..%2f..%2fv2%2fgenerate',
] as const;
const BODIES = [
  '{"content":{"data":"The train is late."}}',
  '{"content":{"data":"a"},"output":{"delivery":{"method":"push","config":{"logo":{"url":"http://127.0.0.1/"}}}}}',
  '{"hlsSourceUrl":"http://[::ffff:127.0.0.1]/x.m3u8"}',
  '{"splitInfo":"true","timing":"on-time"}',
  '{"__proto__":{"a":1},"constructor":{"prototype":{}}}',
  '[]',
  '"',
  '',
] as const;

function head(random: Random, mark: string): string[] {
  const origins = ['https://site.example', 'null', 'https://evil.example', 'https://site.example\t'] as const;
  const odd: readonly [() => string, ...(() => string)[]] = [
    () => `Origin: ${random.pick(origins)}`,
    () => 'Authorization: Bearer guess',
    () => `X-Forwarded-For: ${random.pick(['1.2.3.4', '::1, x', 'a'.repeat(300), '1.2.3.4:5'])}`,
    () => 'X-API-KEY: guess',
    () => `Cookie: ${'a=b; '.repeat(random.below(50))}`,
    () => `Connection: ${random.pick(['keep-alive', 'Upgrade', 'X-Request-Id', 'close, close'])}`,
    () => `Upgrade: ${random.pick(['websocket', 'h2c', 'foo'])}`,
    () => `If-None-Match: ${random.pick(['*', 'W/"a"', '""'])}`,
    () => `X-${'a'.repeat(random.below(200))}: ${random.bytes(random.below(40)).toString('latin1')}`,
    () => `Accept: ${random.pick(['*/*', 'application/json', '\u0000'])}`,
  ];
  const fatal: readonly [() => string, ...(() => string)[]] = [
    () => 'Expect: 100-continue',
    () =>
      `Transfer-Encoding: ${random.pick(['chunked', 'xchunked', 'chunked, identity', ' chunked', 'gzip'])}`,
    () => `Content-Length: ${random.pick(['0', '5', '-1', '1e3', '99999999999999999999', '5, 5', '0x5'])}`,
    () => `Content-Encoding: ${random.pick(['gzip', 'br', 'identity'])}`,
    () => ` folded: line`,
    () => `Host: ${random.pick(['a b', '', '[::1]:80'])}`,
  ];
  return [
    'Host: proxy.example',
    `X-Request-Id: ${mark}`,
    'Connection: close',
    ...(random.chance(0.9) ? ['Content-Type: application/json'] : []),
    ...(random.chance(0.5) ? random.some(3, () => random.pick(odd)()) : []),
    ...(random.chance(0.2) ? random.some(2, () => random.pick(fatal)()) : []),
  ];
}

function body(random: Random): Buffer {
  const text = Buffer.from(random.chance(0.5) ? BODIES[0] : random.pick(BODIES));
  if (random.chance(0.05)) return Buffer.from(`{"content":${'['.repeat(random.below(5_000))}`);
  if (random.chance(0.03)) return Buffer.alloc(random.below(300_000), 'a');
  return random.chance(0.2) ? mutated(random, text) : text;
}

function request(random: Random, mark: string): Buffer {
  const target = random.chance(0.85) ? random.pick(TARGETS) : random.pick(ODD_TARGETS);
  const version = random.chance(0.95) ? '1.1' : random.pick(['1.0', '2.0', '9']);
  const content = target.startsWith('GET') && random.chance(0.9) ? Buffer.alloc(0) : body(random);
  const lines = [`${target} HTTP/${version}`, ...head(random, mark)];
  if (random.chance(0.95)) lines.push(`Content-Length: ${content.length}`);
  const whole = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
  return random.chance(0.15) ? mutated(random, whole) : whole;
}

/** The requests of one connection, in the pieces in which they are sent. `mark` is their X-Request-Id. */
export function hostileRequests(random: Random, mark: string): readonly Buffer[] {
  const more = random.chance(0.1) ? random.some(3, () => request(random, mark)) : [];
  const whole = Buffer.concat([request(random, mark), ...more]);
  if (random.chance(0.6)) return [whole];
  const cut = random.below(whole.length + 1);
  return [whole.subarray(0, cut), whole.subarray(cut)];
}
