// Where the service under test is.
// - Any CONFORMANCE_*_URL in the environment means a service elsewhere, and then the cases that cost
//   money (CONFORMANCE_PAID=1 runs them) and those that need the sandbox are listed as not run.
// - With none of them our own sandbox is started and everything runs.
// - An incomplete address is an error.
import { startSandbox, type Fault, type Sandbox } from '../../demo/sandbox/index.ts';
import type { DocumentNumber } from './sentences/index.ts';
import { Socket } from './socket.ts';

const variables = {
  apiUrl: 'CONFORMANCE_API_URL',
  apiKey: 'CONFORMANCE_API_KEY',
  wsUrl: 'CONFORMANCE_WS_URL',
  transportUrl: 'CONFORMANCE_TRANSPORT_URL',
  authUrl: 'CONFORMANCE_AUTH_URL',
  clientId: 'CONFORMANCE_CLIENT_ID',
  clientSecret: 'CONFORMANCE_CLIENT_SECRET',
} as const;

type Name = keyof typeof variables;
type Addresses = Readonly<Record<Name, string>>;

const needed: Readonly<Record<DocumentNumber, readonly Name[]>> = {
  1: ['transportUrl', 'authUrl', 'clientId', 'clientSecret'],
  2: ['apiUrl', 'apiKey'],
  3: ['wsUrl'],
};

/** A service elsewhere. A variable that is not set is the empty string. */
export interface Elsewhere {
  readonly addresses: Addresses;
  /** Whether tests that make video may run. */
  readonly paid: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The service that the environment names, null when it names none.
 * @throws Error naming the variables that are missing for a document of which one is given
 */
export function elsewhere(environment: Environment): Elsewhere | null {
  const given = Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [
      name,
      (environment[variable] ?? '').replace(/\/+$/, ''),
    ]),
  ) as Record<Name, string>;
  if (Object.values(given).every((value) => value === '')) return null;
  given.wsUrl ||= given.apiUrl.replace(/^http/, 'ws');
  const missing = Object.values(needed)
    .filter((names) => names.some((name) => given[name] !== ''))
    .flatMap((names) => names.filter((name) => given[name] === ''))
    .map((name) => variables[name]);
  if (missing.length > 0) throw new Error(`not set: ${missing.join(', ')}`);
  return { addresses: given, paid: environment['CONFORMANCE_PAID'] === '1' };
}

/** Whether the service elsewhere has an address for this document. */
export const serves = ({ addresses }: Elsewhere, document: DocumentNumber): boolean =>
  needed[document].every((name) => addresses[name] !== '');

/** Our own sandbox makes pictures of half the requested width and height, because they cost less. */
const SCALE = 0.5;

/** The service under test, for the cases of one run. */
export class Service {
  readonly addresses: Addresses;
  readonly #sandbox: Sandbox | null;
  readonly #sockets = new Set<Socket>();

  private constructor(addresses: Addresses, sandbox: Sandbox | null) {
    this.addresses = addresses;
    this.#sandbox = sandbox;
  }

  static async open(place: Elsewhere | null): Promise<Service> {
    if (place) return new Service(place.addresses, null);
    const sandbox = await startSandbox({ render: { stamp: true, framesPerWord: 2, scale: SCALE } });
    return new Service(sandbox.addresses, sandbox);
  }

  /** The lines or columns that a video has when this number was requested. */
  linesOf(asked: number): number {
    return this.#sandbox ? asked * SCALE : asked;
  }

  /** A socket at `{ws_url}/ws/`, closed when the case is over. */
  async connect(): Promise<Socket> {
    const socket = await Socket.open(`${this.addresses.wsUrl}/ws/`);
    this.#sockets.add(socket);
    return socket;
  }

  /** Sets faults of the sandbox, or advances its clock, until the case is over. @throws Error elsewhere */
  set(...faults: readonly Fault[]): void {
    if (!this.#sandbox) throw new Error('only a sandbox takes faults');
    this.#sandbox.setFaults(faults);
  }

  /** Advances the sandbox's clock, which ends all faults. @throws Error elsewhere */
  advance(seconds: number): void {
    this.set({ fault: 'advance_clock', seconds });
  }

  /** After each case: closes its sockets and ends its faults. */
  tidy(): void {
    for (const socket of this.#sockets) socket.break();
    this.#sockets.clear();
    this.#sandbox?.setFaults([]);
  }

  async close(): Promise<void> {
    this.tidy();
    await this.#sandbox?.close();
  }
}
