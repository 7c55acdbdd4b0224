// Fixtures of the tests of several sites: two origins, secrets, and a folder with a file of sites and its key files.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';

export const A = 'https://a.example';
export const B = 'https://b.example';
export const KEYS = {
  a: 'key-of-the-account-a-1',
  b: 'key-of-the-account-b-1',
  op: 'token-of-the-operator-b',
};

export interface Folder {
  readonly file: string;
  write(name: string, content: string): void;
}

export function folder(content: string): Folder {
  const directory = temporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
  for (const [name, secret] of Object.entries(KEYS)) write(name, `${secret}\n`);
  write('sites.yaml', content);
  return { file: join(directory, 'sites.yaml'), write };
}
