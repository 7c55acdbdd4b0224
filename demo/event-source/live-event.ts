// Decides when the demo's live event runs. It begins with the first visitor, and ends when nobody has watched for a minute.
// - Its session is created as an operator creates one: by the proxy's routes, with the operator's token. No page gets this token.
// - One event runs at a time. The next visitor gets a new session when the last session was stopped or has failed, and a new event
//   when the last event has ended.
// - Each run has addresses of its own, so that no player mixes two.
import { systemClock, type SandboxClock } from '../sandbox/clock.ts';
import { EventStream, MAIN_PLAYLIST, type EventFile } from './event-stream.ts';

const UNWATCHED_MS = 60_000;

/** Who asks for a file: the page's video, which is watching, or the service, which is not. */
export type Watcher = 'page' | 'service';

interface LiveEventDeps {
  /** The address of this program's routes for the service, without a slash at the end. */
  readonly address: () => string;
  /** Path of the proxy's live sessions under that address. */
  readonly sessionsPath: string;
  readonly operatorToken: string;
  /** Whether frames have the sandbox's stamp. Default false. */
  readonly stamp?: boolean;
  /** Default: the system's. */
  readonly clock?: SandboxClock;
}

/** What a page needs to show the event. */
interface EventOnAir {
  /** Id of the live session that signs it. */
  readonly session: string;
  /** Path of its manifest. */
  readonly video: string;
}

interface Run {
  readonly number: number;
  readonly stream: EventStream;
  session: string | null;
}

export class LiveEvent {
  readonly #deps: LiveEventDeps;
  #run: Run | null = null;
  #runs = 0;
  #opening: Promise<EventOnAir> | null = null;
  #cancel: () => void = () => {};

  constructor(deps: LiveEventDeps) {
    this.#deps = deps;
  }

  /** The event, which begins if it is not running. @throws Error when the service creates no session for it */
  async open(): Promise<EventOnAir> {
    this.#opening ??= this.#open().finally(() => (this.#opening = null));
    return this.#opening;
  }

  /** A file of the event; null when there is none of this name. */
  file(run: number, watcher: Watcher, name: string): EventFile | null {
    if (run !== this.#run?.number) return null;
    if (watcher === 'page') this.#watched();
    return this.#run.stream.file(name);
  }

  /** Ends the event and its session. */
  async close(): Promise<void> {
    this.#cancel();
    const run = this.#run;
    run?.stream.end();
    if (run?.session) await this.#ask('DELETE', `/${run.session}`).catch(() => {});
  }

  async #open(): Promise<EventOnAir> {
    if (!this.#run || this.#run.stream.hasEnded) {
      this.#run = {
        number: ++this.#runs,
        stream: new EventStream(this.#deps.stamp ?? false),
        session: null,
      };
    }
    this.#watched();
    const run = this.#run;
    if (!(await run.stream.begun())) throw new Error('the event did not begin');
    if (!run.session || !(await this.#isActive(run.session))) {
      const made = await this.#ask('POST', '', {
        sourceType: 'HLS_PULL',
        hlsSourceUrl: `${this.#deps.address()}${pathOf(run, 'service')}`,
      });
      run.session = String(made['sessionId']);
    }
    return { session: run.session, video: pathOf(run, 'page') };
  }

  #watched(): void {
    if (this.#run?.stream.hasEnded) return;
    this.#cancel();
    const { clock = systemClock } = this.#deps;
    this.#cancel = clock.after(UNWATCHED_MS, () => void this.close());
  }

  async #isActive(session: string): Promise<boolean> {
    const found = await this.#ask('GET', `/${session}`).catch(() => null);
    return found?.['status'] === 'active';
  }

  /** @throws Error when the answer has an error status */
  async #ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const { address, sessionsPath, operatorToken } = this.#deps;
    const response = await fetch(address() + sessionsPath + path, {
      method,
      headers: {
        Authorization: `Bearer ${operatorToken}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the service answered ${method} with ${response.status}`);
    return (await response.json()) as Record<string, unknown>;
  }
}

/** Where the event's manifest is, for the page or for the service. */
const pathOf = ({ number }: Run, watcher: Watcher): string => `/event/${number}/${watcher}/${MAIN_PLAYLIST}`;
