// The file of sites (SIGN_SITES): what is refused, and with which messages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readConfig } from '../../../proxy/index.ts';
import { sitesJsonSchema } from '../../../proxy/sites/site-schema.ts';
import { problemsOf } from '../config-harness.ts';
import { A, B, folder, KEYS } from '../site-harness.ts';

test('all problems of the file are named at once, with site and field, and without a value', () => {
  const files = folder(`
sites:
  - name: a
    origins: [${A}/path]
    apiKeyFile: missing-key
  - name: a
    origins: [${A}]
    clientId: client
    apiKeyFile: b
  - name: c
    origins: [${A}]
`);
  const env = { SIGN_API_URL: 'https://api.example', SIGN_SITES: files.file, SIGN_API_KEY: KEYS.a };
  const { message } = problemsOf(env);
  assert.match(message, /SIGN_API_KEY is set together with SIGN_SITES/);
  assert.match(message, /SIGN_SITES site a: name is another site’s too/);
  assert.match(message, /SIGN_SITES site c: origins are a’s too/);
  assert.match(message, /SIGN_SITES site a: origins "https:\/\/a.example\/path" is not an origin/);
  assert.match(message, /SIGN_SITES site a: apiKeyFile names a file that cannot be read \(ENOENT\)/);
  assert.match(message, /SIGN_SITES site a: clientSecretFile is not set/);
  assert.ok(!message.includes(KEYS.a) && !message.includes('missing-key'), message);
});

for (const [what, content, expected] of [
  [
    'an unknown field',
    `sites: [{ name: a, origins: ['${A}'], apiKey: ${KEYS.a} }]`,
    'sites.0: has no apiKey',
  ],
  ['a wrong type', `sites: [{ name: a, origins: ${KEYS.a} }]`, 'sites.0.origins: is not'],
  [
    'a limit of 0',
    `sites: [{ name: a, origins: ['${A}'], limits: { sockets: 0 } }]`,
    'sites.0.limits.sockets: is not',
  ],
  ['no sites', 'sites: []', 'sites: is not'],
  ...['bad.id', '__proto__'].map(
    (id) =>
      [
        `the key id ${id}`,
        `sites: [{ name: a, origins: ['${A}'], tickets: required, ticketKeyFiles: { good: a, ${id}: b } }]`,
        `sites.0.ticketKeyFiles.${id}: is not`,
      ] as const,
  ),
  ['no YAML', 'sites: [', 'names neither YAML nor JSON'],
  [
    'YAML that would grow without end',
    `a: &a [${'x,'.repeat(10)}]\nb: &b [${'*a,'.repeat(10)}]\nc: &c [${'*b,'.repeat(10)}]\nsites: [${'*c,'.repeat(10)}]`,
    'names neither YAML nor JSON',
  ],
  ['more than 1 MB', `sites: []\n#${'x'.repeat(1024 * 1024)}`, 'names a file of more than 1 MB'],
  [
    'an origin for all hosts of a domain',
    "sites: [{ name: a, origins: ['https://*.a.example'] }]",
    'site a: origins "https://*.a.example" is not an origin',
  ],
  ...(['[', '{a: ', '- ', '? ', '&a ', '!a '] as const).map(
    (nested) =>
      [`20,000 levels of ${nested}`, nested.repeat(20_000), 'names a file of more than 32 levels'] as const,
  ),
  [
    '24,000 names in one object',
    Array.from({ length: 24_000 }, (_, n) => `k${n}: 1`).join('\n'),
    'names a file of too many names in one object',
  ],
  ['two equal names', 'sites: []\nsites: []', 'names neither YAML nor JSON'],
  ['10,000 references', `- &a 1\n${'- *a\n'.repeat(10_000)}`, 'names a file of more than 1000 references'],
  ['100,000 names in one line', 'a: '.repeat(100_000), 'names a file of more than 50000 items'],
  ['500,000 empty items', `[${','.repeat(500_000)}]`, 'names a file of more than 50000 items'],
  [
    '301 sites',
    JSON.stringify({ sites: Array.from({ length: 301 }, (_, n) => ({ name: `s${n}`, origins: [A] })) }),
    'sites: has more than 300; serve the others from a second proxy',
  ],
  ['an empty origin', "sites: [{ name: a, origins: [''] }]", 'sites.0.origins.0: is not'],
  ['two origins in one string', `sites: [{ name: a, origins: ['${A},${B}'] }]`, 'sites.0.origins.0: is not'],
  [
    'one origin of two sites in two spellings',
    `sites: [{ name: a, origins: ['${A}'] }, { name: b, origins: ['https://A.example:443/'] }]`,
    'site b: origins are a’s too',
  ],
] as const) {
  test(`a file of sites with ${what} is refused without its values`, () => {
    const env = { SIGN_API_URL: 'https://api.example', SIGN_SITES: folder(content).file };
    const { message } = problemsOf(env);
    assert.ok(message.includes(expected), message);
    assert.ok(!message.includes(KEYS.a), message);
  });
}

test('a file of JSON is read too, and the proxy checks the file by the published schema', () => {
  const sites = [{ name: 'a', origins: [A], apiKeyFile: 'a' }];
  const { file } = folder(JSON.stringify({ sites }));
  const config = readConfig({ SIGN_API_URL: 'https://api.example', SIGN_SITES: file });
  assert.deepEqual(
    config.sites.map(({ site, apiKey }) => [site, apiKey]),
    [['a', KEYS.a]],
  );
  assert.deepEqual(JSON.parse(readFileSync('docs/sites.schema.json', 'utf8')), sitesJsonSchema());
});
