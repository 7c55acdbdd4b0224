// Folders for the files of tests.
// - They are removed when the process ends: then no proxy of a test writes a last file there while its folder is removed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of a new empty folder. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sign-test-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
