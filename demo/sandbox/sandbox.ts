// The whole stand-in of the signing service in one process: puts the rooms of this folder together.
// Policy: the service itself listens on loopback only; `host` is for the media, which browsers load themselves. Closing
// leaves no socket, timer or thread behind.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressesOf, credentials, mediaUrlOf, type SandboxAddresses } from './addresses.ts';
import { AccessTokens } from './announcements/access-tokens.ts';
import { announcementRoutes } from './announcements/announcement-routes.ts';
import { Announcements } from './announcements/announcements.ts';
import { tokenRoutes } from './announcements/token-routes.ts';
import { createApiServer } from './api-server.ts';
import { chanceOf } from './chance.ts';
import { ClipStore } from './media/clip-store.ts';
import { MovableClock, systemClock, type SandboxClock } from './clock.ts';
import { EncodePool } from './media/encode-pool.ts';
import { controlRoute } from './control-route.ts';
import type { Fault } from './fault-table.ts';
import { FaultsInForce, parseFaults } from './faults.ts';
import { liveRoutes } from './live/live-routes.ts';
import { openLiveMedia } from './live/media/live-media.ts';
import { defaultLimits, withLimits, type SandboxLimits } from './limits.ts';
import { clipRoute } from './media/clip-route.ts';
import { createMediaServer } from './media/media-origin.ts';
import { presign } from './media/presigned-url.ts';
import { defaultNames, withNames, type FieldNames } from './names.ts';
import { withRenderDefaults, type RenderOptions } from './painter/render-options.ts';
import { StreamService } from './streams/stream-service.ts';
import { translationRoutes } from './translation/translation-routes.ts';
import { V3Service } from './v3/service.ts';

export interface SandboxOptions {
  /** Address the media origin listens on; for `0.0.0.0` its URL names the first external IPv4. Default `127.0.0.1`. */
  readonly host?: string;
  /** Port of API and WebSocket, always on loopback. Default 0, any free one. */
  readonly port?: number;
  /** Port of the media origin. Default 0, any free one. */
  readonly mediaPort?: number;
  /** Makes session ids and signatures repeatable. Default: random. */
  readonly seed?: number;
  /** Default: the system's. */
  readonly clock?: SandboxClock;
  /** On top of the beta defaults of document 3. */
  readonly limits?: Partial<SandboxLimits>;
  /** How everything is painted, for as long as the sandbox runs. Default: without the stamp, 11 frames a word. */
  readonly render?: Partial<RenderOptions>;
}

export interface Sandbox {
  readonly addresses: SandboxAddresses;
  /** Replaces the faults in force, as the control route does. @throws FaultListError */
  setFaults(faults: readonly Fault[]): void;
  /** Changes limits for good. @throws RangeError */
  setLimits(changes: Partial<SandboxLimits>): void;
  /** WebSockets that are open now. */
  readonly openSockets: number;
  close(): Promise<void>;
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

/** Starts a sandbox. Rejects with the system's error when a port cannot be had. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1';
  const render = withRenderDefaults(options.render);
  let limits = withLimits(defaultLimits, options.limits ?? {});
  const clock = new MovableClock(options.clock ?? systemClock);
  const faults = new FaultsInForce();
  const chance = chanceOf(options.seed);
  const secret = chance();

  const setFaults = (list: unknown): void => {
    const parsed = parseFaults(list);
    faults.replace(parsed.filter(({ fault }) => fault !== 'advance_clock'));
    for (const fault of parsed) if (fault.fault === 'advance_clock') clock.advance(fault.seconds * 1000);
  };
  const limitsInForce = (): SandboxLimits =>
    faults.list.reduce(
      (now, fault) => (fault.fault === 'limits' ? withLimits(now, fault.limits) : now),
      limits,
    );

  const namesInForce = (): FieldNames =>
    faults.list.reduce(
      (now, fault) => (fault.fault === 'names' ? withNames(now, fault.names) : now),
      defaultNames,
    );
  const urlOf = (path: string, expires: number): string =>
    mediaUrl + presign(secret, path, faults.take('media_expired') ? clock.now() : expires);

  const pool = new EncodePool(render);
  const clips = new ClipStore(pool, () => limitsInForce().stored_media_bytes);
  const streams = new StreamService({ clock, render, limits: limitsInForce, newId: chance, secret, urlOf });
  const live = openLiveMedia({ streams, render });
  const routes = [clipRoute(clips, { clock, secret }), streams.route];
  const media = createMediaServer({ routes, clock, faults });
  let mediaUrl = '';
  /** What the services of all three documents stand in. */
  const around = { clock, faults, limits: limitsInForce, names: namesInForce };
  const service = new V3Service({
    ...around,
    newSessionId: () => `sandbox-${chance()}`,
    clips,
    streams,
    urlOf,
  });
  const announcing = {
    ...around,
    tokens: new AccessTokens(clock, limitsInForce, chance()),
    announcements: new Announcements({
      clock,
      faults,
      chance,
      mediaOf: (spec) => clips.mediaOf(spec, () => {}),
    }),
    urlOf,
  };
  const control = {
    get inForce() {
      return faults.list;
    },
    setFaults,
  };
  const api = createApiServer(service, [
    controlRoute(control),
    tokenRoutes(announcing),
    announcementRoutes(announcing),
    translationRoutes({
      ...around,
      apiKey: credentials.apiKey,
      chance,
      mediaOf: (spec, onStage) => clips.mediaOf(spec, onStage),
      urlOf,
      streams,
    }),
    liveRoutes({
      ...around,
      apiKey: credentials.apiKey,
      chance,
      media: live,
    }),
  ]);

  const close = async (): Promise<void> => {
    for (const socket of api.sockets) socket.terminate();
    clock.stop();
    await Promise.all([api.app.close(), stop(media), pool.close(), streams.close(), live.close()]);
  };

  try {
    mediaUrl = mediaUrlOf(host, await listen(media, host, options.mediaPort ?? 0));
    await api.app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
    const { port } = api.app.server.address() as AddressInfo;
    const addresses = addressesOf(port, mediaUrl);
    return {
      addresses,
      setFaults,
      setLimits: (changes) => (limits = withLimits(limits, changes)),
      get openSockets() {
        return api.sockets.size;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
