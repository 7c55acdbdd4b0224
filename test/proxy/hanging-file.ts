// A file on a disk that hangs: a named pipe. Who reads it waits until somebody has written it to its end.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs';
import { until } from '../until.ts';

/** Takes the place of the file, if there is one. */
export function makeHanging(file: string): void {
  rmSync(file, { force: true });
  execFileSync('mkfifo', [file]);
}

/** Waits until somebody reads the hanging file; the returned function lets him read this content, if it is any, and the end. */
export async function whenRead(file: string): Promise<(content?: string) => void> {
  let pipe = -1;
  await until(() => {
    try {
      pipe = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      // ENXIO: nobody reads it yet.
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
