// A file on a disk that hangs: a named pipe. A reader waits until somebody has written the pipe to its end.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs';
import { until } from '../until.ts';

/** Takes the place of the file, if there is one. */
export function makeHanging(file: string): void {
  rmSync(file, { force: true });
  execFileSync('mkfifo', [file]);
}

/**
 * Waits until a program reads the hanging file. The returned function gives the reader this content, if there is any, and the end.
 */
export async function whenRead(file: string): Promise<(content?: string) => void> {
  let pipe = -1;
  await until(() => {
    try {
      pipe = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      // ENXIO: nobody reads the pipe yet.
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
    return pipe >= 0;
  });
  return (content) => {
    if (content !== undefined) writeSync(pipe, content);
    closeSync(pipe);
  };
}

/** Waits until nobody reads the hanging file any more; the writing end of whenRead() may be open. */
export const whenLeft = (file: string): Promise<unknown> =>
  until(() => {
    try {
      closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENXIO';
    }
  });
