// The whole sandbox of the signing service in one process.
// - API and WebSocket listen on loopback only; `host` is for the media, which browsers load themselves.
// - One account is open from the start, with the credentials in `addresses`. Further ones are opened on demand, each with its own
//   faults, limits, clock and sessions.
// - Closing leaves no socket, timer or thread behind.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Account } from './account.ts';
import { Accounts } from './accounts.ts';
import { addressesOf, mediaUrlOf, type SandboxAddresses } from './addresses.ts';
import { createApiServer } from './api-server.ts';
import { hexSource } from './ids.ts';
import { systemClock, type SandboxClock } from './clock.ts';
import type { Fault } from './fault-table.ts';
import { defaultLimits, withLimits, type SandboxLimits } from './settings.ts';
import { ClipStore } from './media/clip-store.ts';
import { EncodePool } from './media/encode-pool.ts';
import { createMediaServer } from './media/media-origin.ts';
import { withRenderDefaults, type RenderOptions } from './painter/render-options.ts';

export interface SandboxOptions {
  /** Address that the media origin listens on. For `0.0.0.0` its URL has the first external IPv4 address. Default `127.0.0.1`. */
  readonly host?: string;
  /** Port of API and WebSocket, always on loopback. Default 0: any free port. */
  readonly port?: number;
  /** Port of the media origin. Default 0: any free port. */
  readonly mediaPort?: number;
  /** Makes session ids and signatures repeatable. Default: random. */
  readonly seed?: number;
  /** Default: the system's. */
  readonly clock?: SandboxClock;
  /** Limits that differ from the beta defaults of document 3. */
  readonly limits?: Partial<SandboxLimits>;
  /** How everything is painted; fixed while the sandbox runs. Default: without the stamp, 11 frames a word. */
  readonly render?: Partial<RenderOptions>;
}

/** The controls of one account of the service. */
interface SandboxAccount {
  readonly addresses: SandboxAddresses;
  /** Replaces the faults in force, as the control route does. @throws FaultListError */
  setFaults(faults: readonly Fault[]): void;
  /** Changes limits until they are changed again. @throws RangeError */
  setLimits(changes: Partial<SandboxLimits>): void;
  /** WebSockets that are open now. */
  readonly openSockets: number;
  close(): Promise<void>;
}

/** The first account; closing it closes the sandbox. */
export interface Sandbox extends SandboxAccount {
  /** Opens a further account with default limits. Rejects when 64 are open. */
  openAccount(): Promise<SandboxAccount>;
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

const control = (account: Account, close: () => Promise<void>): SandboxAccount => ({
  get addresses() {
    return account.addresses;
  },
  setFaults: (faults) => account.setFaults(faults),
  setLimits: (changes) => account.setLimits(changes),
  get openSockets() {
    return account.openSockets;
  },
  close,
});

/** Starts a sandbox. Rejects with the system's error when a port cannot be bound. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1';
  const render = withRenderDefaults(options.render);
  const limits = withLimits(defaultLimits, options.limits ?? {});
  let origins = { port: 0, mediaUrl: '' };
  const pool = new EncodePool(render);
  const clips = new ClipStore(pool, () => accounts.first.limits.stored_media_bytes);
  const accounts = await Accounts.open({
    addressesOf: (account) => addressesOf(account, origins),
    clock: options.clock ?? systemClock,
    limits,
    render,
    newHex: hexSource(options.seed),
    clips,
  });
  const media = createMediaServer((request) => accounts.mediaOf(request));
  const api = createApiServer((request) => accounts.of(request).api);
  const close = async (): Promise<void> => {
    await accounts.closeAll();
    await Promise.all([stop(api), stop(media), pool.close()]);
  };
  try {
    const mediaUrl = mediaUrlOf(host, await listen(media, host, options.mediaPort ?? 0));
    origins = { mediaUrl, port: await listen(api, '127.0.0.1', options.port ?? 0) };
  } catch (error) {
    await close();
    throw error;
  }
  const openAccount = async (): Promise<SandboxAccount> => {
    const account = await accounts.open();
    return control(account, async () => void (await accounts.close(account)));
  };
  return Object.assign(control(accounts.first, close), { openAccount });
}
