// The check of addresses that come from outside.
import assert from 'node:assert/strict';
import test from 'node:test';
import { httpUrl } from '../../src/protocol/http-url.ts';

const allowed: [value: string, href: string][] = [
  ['https://media.example/a.mp4?sig=a%2Fb', 'https://media.example/a.mp4?sig=a%2Fb'],
  ['HTTP://Media.Example', 'http://media.example/'],
  ['  https://media.example/a  ', 'https://media.example/a'],
];

for (const [value, href] of allowed) {
  test(`${JSON.stringify(value)} passes`, () => assert.equal(httpUrl(value), href));
}

const refused: unknown[] = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  'data:video/mp4;base64,AAAA',
  'blob:https://page.example/1',
  'file:///etc/passwd',
  'ws://media.example/',
  '//media.example/a.mp4',
  '/a.mp4',
  'https://',
  '',
  null,
  undefined,
  7,
  { href: 'https://media.example/' },
  new URL('https://media.example/'),
];

for (const value of refused) {
  test(`${typeof value} ${JSON.stringify(value)} does not pass`, () => assert.equal(httpUrl(value), null));
}

const relative: [value: string, href: string | null][] = [
  ['/a.mp4', 'https://page.example/a.mp4'],
  ['a.mp4', 'https://page.example/news/a.mp4'],
  ['//media.example/a.mp4', 'https://media.example/a.mp4'],
  ['http://media.example/a.mp4', 'http://media.example/a.mp4'],
  ['javascript:alert(1)', null],
  ['https://', null],
];

for (const [value, href] of relative) {
  test(`${JSON.stringify(value)} in a page is ${href ?? 'no address'}`, () =>
    assert.equal(httpUrl(value, 'https://page.example/news/today'), href));
}

test('without a base a relative address does not pass', () => {
  assert.equal(httpUrl('/a.mp4', 'about:srcdoc'), null);
});
