// custom-elements.json, from which editors know the elements: it names what the contract names, and where it is.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';

interface Named {
  name: string;
}

interface Declaration extends Named {
  tagName?: string;
  attributes?: Named[];
  events?: Named[];
  members?: Named[];
}

const { modules } = JSON.parse(readFileSync('custom-elements.json', 'utf8')) as {
  modules: { path: string; declarations: Declaration[] }[];
};

const home = modules.find(({ declarations }) =>
  declarations.some(({ tagName }) => tagName === 'sign-translate'),
);
const element = home?.declarations.find(({ tagName }) => tagName === 'sign-translate');
const names = (list: Named[] | undefined) => new Set(list?.map(({ name }) => name));

test('every module that the manifest names is one that the package delivers', () => {
  assert.ok(modules.length > 0);
  for (const { path } of modules) assert.ok(/^dist\//.test(path) && existsSync(path), path);
});

test('sign-translate is described with its attributes, events and methods', () => {
  const attributes = names(element?.attributes);
  const shared = ['proxy', 'signer', 'language', 'resolution', 'controls', 'placement', 'lang'];
  for (const name of [...shared, 'mode', 'transport', 'text', 'for', 'debug'])
    assert.ok(attributes.has(name), name);

  const events = names(element?.events);
  for (const name of [
    'statechange',
    'ready',
    'accepted',
    'progress',
    'result',
    'start',
    'end',
    'error',
    'summary',
  ]) {
    assert.ok(events.has(`sign-${name}`), name);
  }

  const members = names(element?.members);
  for (const name of ['sign', 'clear', 'replay', 'connect', 'end']) assert.ok(members.has(name), name);
});
