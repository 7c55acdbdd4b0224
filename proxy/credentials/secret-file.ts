// Secrets out of the environment or out of a file (Docker and Kubernetes mount them as files). Policy: NAME or
// NAME_FILE, never both; neither a value nor a file's path is ever printed, for a path may be a secret put in the wrong
// variable. A secret is 4 to 8,192 characters of visible ASCII: it has to fit into a header, and a shorter one would be
// found by chance when what leaves the proxy is searched for it. Of a file no more is read than could be one: the path
// may be of a device that has no end.
import { closeSync, openSync, readSync } from 'node:fs';

/** What is wrong with one variable: `variable` is the name to look for, `message` a sentence about it. */
export type Report = (variable: string, message: string) => void;

const LONGEST = 8_192;

/** True for what can be a secret. */
export const isSecret = (value: string): boolean =>
  value.length <= LONGEST && /^[\x21-\x7e]{4,}$/.test(value);

/**
 * The secret called `name`, or null when it is not set. Line breaks at the end of a file are not part of it.
 * Problems go to `report`, and then it is null too.
 */
export function readSecret(env: NodeJS.ProcessEnv, name: string, report: Report): string | null {
  const fileName = `${name}_FILE`;
  const file = env[fileName];
  if (env[name] && file) {
    report(fileName, `is set together with ${name}; set one of them`);
    return null;
  }
  if (!file) return checked(env[name] ?? '', name, report);
  try {
    const content = beginningOf(file).replace(/[\r\n]+$/, '');
    if (content === '') report(fileName, 'names an empty file');
    return checked(content, fileName, report);
  } catch (error) {
    report(
      fileName,
      `names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
    );
    return null;
  }
}

/** The whole of a file that can be a secret; of a longer one enough to tell. */
function beginningOf(file: string): string {
  const bytes = Buffer.alloc(2 * LONGEST);
  const descriptor = openSync(file, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(descriptor);
  }
}

function checked(value: string, variable: string, report: Report): string | null {
  if (value === '') return null;
  if (isSecret(value)) return value;
  report(variable, `must be 4 to ${LONGEST} visible ASCII characters, without spaces`);
  return null;
}
