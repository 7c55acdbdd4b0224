// How far a run is: a bar on a terminal, a line for each tenth of it elsewhere.
// - The number of sources is not known while they are read: a terminal shows a count, and nothing is written elsewhere.
import type { WriteStream } from 'node:tty';

const WIDTH = 30;
/** Clears the line. */
const CLEAR = '\r\u001b[K';

export interface Progress {
  readonly reading: (pages: number, texts: number) => void;
  readonly show: (done: number, all: number, failed: number) => void;
  readonly end: () => void;
}

export function progressTo(out: Pick<WriteStream, 'write'> & { readonly isTTY?: boolean }): Progress {
  let tenths = 0;
  let isOpen = false;
  const draw = (line: string): void => {
    isOpen = true;
    out.write(`${CLEAR}${line}`);
  };
  return {
    reading(pages, texts) {
      if (out.isTTY) draw(`${pages} sources read, ${texts} texts`);
    },
    show(done, all, failed) {
      const part = all === 0 ? 1 : (done + failed) / all;
      const count = `${done} of ${all}${failed > 0 ? `, ${failed} failed` : ''}`;
      if (out.isTTY) {
        const filled = Math.round(part * WIDTH);
        draw(`[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${count}`);
      } else if (Math.floor(part * 10) > tenths) {
        tenths = Math.floor(part * 10);
        out.write(`${count}\n`);
      }
    },
    end() {
      if (isOpen) out.write('\n');
      isOpen = false;
    },
  };
}
