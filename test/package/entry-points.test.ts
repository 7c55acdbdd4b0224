// The package is imported in Node, where there is no page, as by a server that renders pages.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';

/**
 * The globals that importing `entry` adds, in a process of its own. lit and zod register themselves on globalThis in
 * every environment (and lit gives Node a stand-in of `customElements`), so the packages in `after` are imported first.
 * Symbols do not count: newer versions of Node add some when a script reads `fetch`.
 */
function globalsAddedBy(entry: string, after: string[]): string[] {
  const script = `
    for (const name of ${JSON.stringify(after)}) await import(name);
    const before = new Set(Object.getOwnPropertyNames(globalThis));
    await import(${JSON.stringify(`./${entry}`)});
    console.log(JSON.stringify(Object.getOwnPropertyNames(globalThis).filter((key) => !before.has(key))));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return JSON.parse(printed) as string[];
}

const entries: [entry: string, after: string[]][] = [
  ['dist/client.js', ['zod/mini']],
  ['dist/index.js', ['zod/mini', 'lit']],
  ['dist/define.js', ['zod/mini', 'lit']],
  ['dist/define/sign-announcement.js', ['zod/mini', 'lit']],
  ['dist/define/sign-live-player.js', ['zod/mini', 'lit']],
  ['dist/define/sign-silence-loop.js', ['zod/mini', 'lit']],
  ['dist/define/sign-translate.js', ['zod/mini', 'lit']],
  ['dist/react.js', ['zod/mini', 'lit', 'react']],
  ['dist/cdn/sign-elements.js', ['zod/mini', 'lit']],
  ['dist/proxy/index.js', ['zod/mini', 'fastify', 'ws']],
];

for (const [entry, after] of entries) {
  test(`${entry} is imported in Node without a throw or a global of ours`, () => {
    assert.deepEqual(globalsAddedBy(entry, after), []);
  });
}

test('the headless client works without lit', () => {
  assert.ok(
    !globalsAddedBy('dist/client.js', []).some((name) => /lit|reactiveElement|customElements/.test(name)),
  );
});

test('each element can be made in Node, where it keeps its properties', () => {
  const script = `
    const elements = await import('./dist/index.js');
    await import('./dist/define.js');
    for (const name of ['SignAnnouncement', 'SignLivePlayer', 'SignSilenceLoop', 'SignTranslate']) {
      const element = Object.assign(new elements[name](), { signer: 'JAY', volume: 0.5 });
      console.log(name, element.signer, element.volume, element.paused);
    }
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  const made = ['SignAnnouncement', 'SignLivePlayer', 'SignSilenceLoop', 'SignTranslate'];
  assert.equal(printed, made.map((name) => `${name} JAY 0.5 true\n`).join(''));
});
