// Which Origin passes (SEMANTICS, Proxy, request by request).
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddresses } from '../../../proxy/limits/client-address.ts';
import { originPolicy } from '../../../proxy/routes/guard.ts';

const judge = originPolicy(['https://listed.example'], clientAddresses(['10.0.0.1']));

interface Row {
  readonly what: string;
  readonly headers: Record<string, string>;
  readonly peer?: string;
  readonly encrypted?: boolean;
  readonly allowed: boolean;
}

const host = 'own.example';
const rows: Row[] = [
  { what: 'a listed origin', headers: { host, origin: 'https://listed.example' }, allowed: true },
  { what: 'its own', headers: { host, origin: 'http://own.example' }, allowed: true },
  {
    what: 'its own on a port',
    headers: { host: `${host}:81`, origin: 'http://own.example:81' },
    allowed: true,
  },
  {
    what: 'its own on the default port',
    headers: { host: `${host}:80`, origin: 'http://own.example' },
    allowed: true,
  },
  { what: 'its own as IPv6', headers: { host: '[::1]:81', origin: 'http://[::1]:81' }, allowed: true },
  {
    what: 'its own on TLS',
    headers: { host, origin: 'https://own.example' },
    encrypted: true,
    allowed: true,
  },
  {
    what: 'its own behind a trusted proxy that ends TLS',
    headers: { host, origin: 'https://own.example', 'x-forwarded-proto': 'https' },
    peer: '10.0.0.1',
    allowed: true,
  },
  {
    what: 'its own host when a stranger claims TLS',
    headers: { host, origin: 'https://own.example', 'x-forwarded-proto': 'https' },
    allowed: false,
  },
  {
    what: 'its own host with another scheme',
    headers: { host, origin: 'https://own.example' },
    allowed: false,
  },
  {
    what: 'its own host on another port',
    headers: { host, origin: 'http://own.example:81' },
    allowed: false,
  },
  { what: 'another origin', headers: { host, origin: 'https://other.example' }, allowed: false },
  {
    what: 'a listed one with more after it',
    headers: { host, origin: 'https://listed.example.evil' },
    allowed: false,
  },
  {
    what: 'a listed one with another scheme',
    headers: { host, origin: 'http://listed.example' },
    allowed: false,
  },
  { what: 'a sandboxed frame', headers: { host, origin: 'null' }, allowed: false },
  { what: 'an empty origin', headers: { host, origin: '' }, allowed: false },
  {
    what: 'a host that is none',
    headers: { host: 'x@own.example', origin: 'http://own.example' },
    allowed: false,
  },
  { what: 'no origin', headers: { host }, allowed: true },
  { what: 'no origin, same origin', headers: { host, 'sec-fetch-site': 'same-origin' }, allowed: true },
  { what: 'no origin, typed address', headers: { host, 'sec-fetch-site': 'none' }, allowed: true },
  { what: 'no origin, cross-site', headers: { host, 'sec-fetch-site': 'cross-site' }, allowed: false },
];
for (const { what, headers, peer = '198.51.100.7', encrypted, allowed } of rows) {
  test(`${what} ${allowed ? 'passes' : 'is refused'}`, () => {
    const socket = { remoteAddress: peer, ...(encrypted ? { encrypted } : {}) };
    const verdict = judge({ socket, headers } as unknown as IncomingMessage);
    assert.deepEqual(verdict, allowed ? { allowed, origin: headers.origin ?? null } : { allowed });
  });
}
