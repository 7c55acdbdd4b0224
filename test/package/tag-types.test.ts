// The types of the tags in JSX of React, Preact and Solid, and in templates of Svelte and Vue, have everything that the manifest
// describes; and those of the package in a strict project.
// - The compiler makes the types from the classes, and an analyzer makes the manifest, so this test sees what one of them misses.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

interface Element {
  tagName: string;
  attributes: { name: string; fieldName?: string }[];
  events: { name: string }[];
  members: { name: string; kind: string; readonly?: boolean; static?: boolean }[];
}

const { modules } = JSON.parse(readFileSync('custom-elements.json', 'utf8')) as {
  modules: { declarations: Element[] }[];
};
const elements = modules.flatMap(({ declarations }) => declarations);

/** The imports that a project writes, and what has the types of a tag then. */
const imports = `
  import type {} from '../../dist/types/react.js';
  import type {} from '../../dist/types/preact.js';
  import type {} from '../../dist/types/solid.js';
  import type {} from '../../dist/types/svelte.js';
  import type {} from '../../dist/vue.js';
  import type { JSX as React } from 'react';
  import type { JSX as Preact } from 'preact';
  import type { JSX as Solid } from 'solid-js';
  import type { SvelteHTMLElements } from 'svelte/elements';
  import type { GlobalComponents } from 'vue';
  type Vue<Tag extends keyof GlobalComponents> =
    GlobalComponents[Tag] extends new () => { $props: infer Props } ? Props : never;
  type Has<Props, Name extends keyof Props> = Name;
`;

const named = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name);
const inCapitals = (event: string): string =>
  `on-${event}`.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** The names that each of the five must know of an element. */
function expected({ tagName, attributes, events, members }: Element): [props: string, names: string[]][] {
  const settable = members.filter((one) => one.kind === 'field' && !one.readonly && !one.static);
  const props = [...named(attributes), ...named(settable)];
  const withEvents = (prefix: string): string[] => [...props, ...named(events).map((name) => prefix + name)];
  const inVue = [...attributes.map(({ name, fieldName }) => fieldName ?? name), ...named(settable)];
  return [
    [`React.IntrinsicElements['${tagName}']`, withEvents('on')],
    [`Preact.IntrinsicElements['${tagName}']`, withEvents('on')],
    [`Solid.IntrinsicElements['${tagName}']`, withEvents('on:')],
    [`SvelteHTMLElements['${tagName}']`, withEvents('on')],
    [`Vue<'${tagName}'>`, [...inVue, ...named(events).map(inCapitals)]],
  ];
}

test('the types of the tags have every attribute, settable property and event of the manifest', () => {
  const folder = '.build/tag-types';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const uses = elements
    .flatMap(expected)
    .flatMap(([props, names]) => names.map((name) => `Has<${props}, '${name}'>`));
  assert.ok(uses.length > 900, `${uses.length} names`);
  writeFileSync(join(folder, 'names.ts'), `${imports}export type All = [\n${uses.join(',\n')}\n];\n`);
  const config = {
    extends: '../../tsconfig.json',
    include: ['names.ts'],
    compilerOptions: {
      noEmit: true,
      noUnusedLocals: false,
      rootDir: '../..',
      composite: false,
      incremental: false,
    },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = spawnSync(
    process.execPath,
    ['node_modules/typescript-native/bin/tsc', '--project', folder],
    { encoding: 'utf8' },
  );
  assert.equal(stdout, '');
});

test('a project with exact optional properties and the library of ES2020 can listen on its document and give an optional signal', () => {
  const folder = '.build/strict-project';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'page.ts'),
    `import type { SignTranslate } from '../../dist/index.js';
    document.addEventListener('sign-error', ({ detail }) => detail.error.code);
    window.addEventListener('sign-error', ({ detail }) => detail.error.code);
    export const sign = (signer: SignTranslate, signal?: AbortSignal) => signer.sign('Snow.', { signal });`,
  );
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: [] },
    ...{ target: 'es2020', lib: ['es2020', 'dom', 'dom.iterable'], module: 'esnext' },
    moduleResolution: 'bundler',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.ts'] }));
  const { stdout } = spawnSync(
    process.execPath,
    ['node_modules/typescript-native/bin/tsc', '--project', folder],
    { encoding: 'utf8' },
  );
  assert.equal(stdout, '');
});
