// Engines that fail, for the tests of ErrorController: an engine that only records its calls, and mock timers.
import { afterEach, beforeEach, mock } from 'node:test';
import { ErrorController, type ErrorControllerOptions } from '../../../src/playback/live/stream-recovery.ts';
import type { SignError } from '../../../src/protocol/sign-error.ts';
import type { EngineError } from '../../../src/playback/live/engine.ts';

export const page = new EventTarget();
Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page) });

export const network = (status = 0): EngineError => ({ cause: 'network', status, message: 'fragLoadError' });
export const media: EngineError = { cause: 'media', status: 0, message: 'bufferAppendError' };

/** One clock for all tests of ErrorController. */
function failingEngines() {
  let now = 0;
  let ending = new AbortController();
  let random = 0.5;
  mock.method(performance, 'now', () => now);
  mock.method(Math, 'random', () => random);
  beforeEach(() => {
    ending = new AbortController();
    now = 100_000;
    random = 0.5;
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => ending.abort());
  return {
    pass(ms: number): void {
      now += ms;
      mock.timers.tick(ms);
    },
    /** What Math.random() returns in this test; 0.5 without a call. */
    drawn: (number: number): void => void (random = number),
    /** Ends the streams of the test. */
    end: (): void => ending.abort(),
    harness(renew?: ErrorControllerOptions['renew'], isLive: boolean | null = null, isFresh = false) {
      const log: string[] = [];
      const failures: SignError[] = [];
      const recovery = new ErrorController(
        {
          engine: {
            isLive,
            start: () => log.push('start'),
            repair: () => log.push('repair'),
          },
          ...(renew && { renew }),
          isFresh,
          recovering: (on) => log.push(on ? 'recovering' : 'recovered'),
          failed(error) {
            failures.push(error);
            log.push(`${error.code}: ${error.message}`);
          },
        },
        ending.signal,
      );
      return { recovery, log, failures };
    },
  };
}

export const { harness, pass, drawn, end } = failingEngines();
