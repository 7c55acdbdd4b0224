// One account of the service: everything that belongs to one API key.
// - Faults, limits, field names, clock, sessions, jobs, streams and sockets are the account's own: a setting of one account
//   never changes another.
// - All accounts share the encoders and the finished files, which are the same for everybody.
import { credentialsOf, type SandboxAddresses } from './addresses.ts';
import { AccessTokens, tokenRoutes } from './announcements/token-server.ts';
import { announcementRoutes } from './announcements/announcement-routes.ts';
import { Announcements } from './announcements/announcements.ts';
import { openApi, type Api } from './api-server.ts';
import { MovableClock, type SandboxClock } from './clock.ts';
import { controlRoute, type AccountList, type ControlledAccount } from './control-route.ts';
import type { Fault } from './fault-table.ts';
import { FaultsInForce, parseFaults } from './faults.ts';
import { defaultNames, type FieldNames, type SandboxLimits, withLimits, withNames } from './settings.ts';
import { liveRoutes } from './live/live-routes.ts';
import { openLiveMedia, type LiveMedia } from './live/media/live-media.ts';
import { clipRoute, type ClipStore } from './media/clip-store.ts';
import type { MediaOrigin } from './media/media-origin.ts';
import { presign } from './media/signed-url.ts';
import type { RenderOptions } from './painter/render-options.ts';
import { StreamService } from './streams/stream-service.ts';
import { translationRoutes } from './translation/translation-routes.ts';
import { V3Service } from './v3/service.ts';

export interface AccountDeps {
  /** Its number, from 1; no other account has it. */
  readonly number: number;
  /** The addresses of the account with this number, once the sandbox listens. */
  readonly addressesOf: (account: number) => SandboxAddresses;
  readonly clock: SandboxClock;
  readonly limits: SandboxLimits;
  readonly render: RenderOptions;
  /** Makes a new string of 32 hex digits at each call. */
  readonly newHex: () => string;
  readonly clips: ClipStore;
  /** Opens and closes further accounts, for the control route. */
  readonly accounts: AccountList;
}

export class Account implements ControlledAccount {
  readonly media: MediaOrigin;
  /** Set once by `open`. */
  api!: Api;
  readonly #clock: MovableClock;
  readonly #deps: AccountDeps;
  readonly #faults = new FaultsInForce();
  readonly #streams: StreamService;
  readonly #live: LiveMedia;
  #limits: SandboxLimits;
  /** The limits, as the faults in force change them. */
  readonly #limitsInForce = (): SandboxLimits =>
    this.faults.reduce(
      (now, fault) => (fault.fault === 'limits' ? withLimits(now, fault.limits) : now),
      this.#limits,
    );
  /** The current names of fields that no document shows. */
  readonly #namesInForce = (): FieldNames =>
    this.faults.reduce(
      (now, fault) => (fault.fault === 'names' ? withNames(now, fault.names) : now),
      defaultNames,
    );
  /** The address of a path of the media origin, valid until `expires` (milliseconds since 1970). */
  readonly #urlOf: (path: string, expires: number) => string;

  /** An account whose routes answer. */
  static async open(deps: AccountDeps): Promise<Account> {
    const account = new Account(deps);
    account.api = await account.#openApi();
    return account;
  }

  private constructor(deps: AccountDeps) {
    const { clock, limits, render, newHex, clips } = deps;
    this.#deps = deps;
    this.#clock = new MovableClock(clock);
    this.#limits = limits;
    const secret = newHex();
    this.#urlOf = (path, expires) =>
      this.addresses.mediaUrl +
      presign(secret, path, this.#faults.take('media_expired') ? this.#clock.now() : expires);
    this.#streams = new StreamService({
      clock: this.#clock,
      render,
      limits: this.#limitsInForce,
      newId: newHex,
      secret,
      urlOf: this.#urlOf,
    });
    this.#live = openLiveMedia({ streams: this.#streams, render });
    const routes = [clipRoute(clips, { clock: this.#clock, secret }), this.#streams.route];
    this.media = { routes, clock: this.#clock, faults: this.#faults };
  }

  /** Replaces the faults in force, as the control route does. @throws FaultListError */
  setFaults(list: unknown): void {
    const parsed = parseFaults(list);
    this.#faults.replace(parsed.filter(({ fault }) => fault !== 'advance_clock'));
    for (const fault of parsed) {
      if (fault.fault === 'advance_clock') this.#clock.advance(fault.seconds * 1000);
    }
  }

  get addresses(): SandboxAddresses {
    return this.#deps.addressesOf(this.#deps.number);
  }

  get faults(): readonly Fault[] {
    return this.#faults.list;
  }

  /** Changes limits until they are changed again. @throws RangeError */
  setLimits(changes: Partial<SandboxLimits>): void {
    this.#limits = withLimits(this.#limits, changes);
  }

  get limits(): SandboxLimits {
    return this.#limitsInForce();
  }

  /** WebSockets that are open now. */
  get openSockets(): number {
    return this.api.sockets.size;
  }

  /** Ends its sockets, sessions and streams. */
  async close(): Promise<void> {
    this.#clock.stop();
    await Promise.all([this.api.close(), this.#streams.close(), this.#live.close()]);
  }

  #openApi(): Promise<Api> {
    const { number, newHex, clips, accounts } = this.#deps;
    const credentials = credentialsOf(number);
    const { apiKey } = credentials;
    const clock = this.#clock;
    const faults = this.#faults;
    const limits = this.#limitsInForce;
    /** What the services of all three documents use. */
    const deps = { clock, faults, limits, names: this.#namesInForce, urlOf: this.#urlOf };
    const service = new V3Service({
      ...deps,
      newSessionId: () => `sandbox-${newHex()}`,
      clips,
      streams: this.#streams,
    });
    const tokens = new AccessTokens(clock, limits, newHex());
    const announcements = new Announcements({
      clock,
      faults,
      newHex,
      mediaOf: (spec) => clips.mediaOf(spec, () => {}),
    });
    return openApi(service, [
      controlRoute(this, accounts),
      tokenRoutes({ ...deps, tokens, credentials }),
      announcementRoutes({ ...deps, tokens, announcements }),
      translationRoutes({
        ...deps,
        apiKey,
        newHex,
        mediaOf: (spec, onStage) => clips.mediaOf(spec, onStage),
        streams: this.#streams,
      }),
      liveRoutes({ ...deps, apiKey, newHex, media: this.#live }),
    ]);
  }
}
