// How far a run is: a bar on a terminal, a line for each tenth of it elsewhere.
import type { WriteStream } from 'node:tty';

const WIDTH = 30;

export interface Progress {
  readonly show: (done: number, all: number, failed: number) => void;
  readonly end: () => void;
}

export function progressTo(out: Pick<WriteStream, 'write'> & { readonly isTTY?: boolean }): Progress {
  let tenths = 0;
  return {
    show(done, all, failed) {
      const part = all === 0 ? 1 : (done + failed) / all;
      const count = `${done} of ${all}${failed > 0 ? `, ${failed} failed` : ''}`;
      if (out.isTTY) {
        const filled = Math.round(part * WIDTH);
        out.write(`\r[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${count}`);
      } else if (Math.floor(part * 10) > tenths) {
        tenths = Math.floor(part * 10);
        out.write(`${count}\n`);
      }
    },
    end: () => void (out.isTTY && out.write('\n')),
  };
}
