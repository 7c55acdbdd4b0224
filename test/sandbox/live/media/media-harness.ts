// Live media as a session has them: runs in processes of their own, and their streams as a player reads them. Everything that was
// started ends with the test.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { MovableClock, systemClock } from '../../../../demo/sandbox/clock.ts';
import {
  openLiveMedia,
  type LiveMedia,
  type LiveAddresses,
  type LiveRun,
  type LiveState,
} from '../../../../demo/sandbox/live/media/live-media.ts';
import type { LiveSpec } from '../../../../demo/sandbox/live/media/live-messages.ts';
import { presign } from '../../../../demo/sandbox/media/signed-url.ts';
import { defaultLimits } from '../../../../demo/sandbox/settings.ts';
import { StreamService } from '../../../../demo/sandbox/streams/stream-service.ts';
import { until } from '../../../until.ts';
import { decodeClip } from '../../media/decode-clip.ts';
import { stampOf } from '../../media/media-spec.ts';
import { smallStamped } from '../../stamped.ts';
import { sourceFrameOf } from './stamped-source.ts';

/** The specification of a signer-only session from an RTMP source to playlists, with these changes. */
export const liveSpecOf = (changes: Partial<LiveSpec> = {}): LiveSpec => ({
  id: 'session',
  source: { kind: 'rtmp', streamKey: 'sandbox-key' },
  output: { kind: 'hls' },
  pictureInPicture: false,
  signer: 'RAE',
  ...changes,
});

/** The stamps of one frame of a segment, and its second on the stream's own clock. */
interface SeenFrame extends Omit<ShownFrame, 'time'> {
  readonly second: number;
}

/** One frame of a stream, by its stamps. */
export interface ShownFrame {
  /** When the frame is shown, in milliseconds since 1970. */
  readonly time: number;
  readonly clip: number;
  readonly frame: number;
  /** Frame number of the source behind the signer; null where there is none. */
  readonly source: number | null;
}

export class MediaHarness {
  readonly clock = new MovableClock(systemClock);
  readonly streams = new StreamService({
    render: smallStamped,
    clock: this.clock,
    limits: () => defaultLimits,
    newId: () => randomBytes(16).toString('hex'),
    secret: 'secret',
    urlOf: (path, expires) => `http://media.test${presign('secret', path, expires)}`,
  });
  readonly media: LiveMedia;
  /**
   * Frames by address of the segment. They are kept because a listed segment does not change and a wait for a frame reads it many
   * times.
   */
  readonly #seen = new Map<string, Promise<readonly SeenFrame[]>>();
  /** By address of the playlist. */
  readonly #states = new Map<string | null, readonly LiveState[]>();

  constructor(t: TestContext, maxAwayMs = 15_000) {
    this.media = openLiveMedia({ streams: this.streams, render: smallStamped, maxAwayMs });
    t.after(async () => {
      await this.media.close();
      await this.streams.close();
    });
  }

  /** A run that is ready. */
  async start(spec: LiveSpec): Promise<{ run: LiveRun; states: LiveState[]; addresses: LiveAddresses }> {
    const run = this.media.start(spec);
    const states: LiveState[] = [];
    run.on((state) => states.push(state));
    const addresses = await run.ready;
    for (const url of [addresses.hlsUrl, addresses.pipUrl]) this.#states.set(url, states);
    return { run, states, addresses };
  }

  async status(url: string): Promise<number> {
    const found = await this.#file(url);
    return 'status' in found ? found.status : 200;
  }

  async bytes(url: string): Promise<Uint8Array> {
    const found = await this.#file(url);
    if ('why' in found) throw new Error(`${found.status} ${found.why}`);
    return found.bytes;
  }

  async text(url: string): Promise<string> {
    return Buffer.from(await this.bytes(url)).toString();
  }

  /**
   * Waits until the playlist lists this many whole segments since the stream began.
   * @throws AssertionError when its run has failed
   */
  async grown(playlist: string, segments: number): Promise<string> {
    const look = async (): Promise<string> => {
      assert.notEqual(typeof this.#states.get(playlist)?.at(-1), 'object', 'the run has not failed');
      const text = (await this.status(playlist)) === 200 ? await this.text(playlist) : '';
      assert.ok(!text.includes('#EXT-X-ENDLIST'), 'the stream goes on');
      return text;
    };
    return until(look, (text) => namesOf(text).some((name) => Number.parseInt(name, 10) >= segments - 1));
  }

  /** Every frame of the whole segments that the playlist lists now. */
  async frames(playlist: string): Promise<ShownFrame[]> {
    const text = await this.text(playlist);
    const init = await this.bytes(new URL(/URI="(init\.mp4[^"]*)"/.exec(text)![1]!, playlist).href);
    const listed = [...text.matchAll(/PROGRAM-DATE-TIME:(.*)\n(?:#EXT-X-PART.*\n)*#EXTINF:.*\n(.*)/g)];
    const seen: SeenFrame[] = [];
    for (const [, , name] of listed) {
      const { href } = new URL(name!, playlist);
      if (!this.#seen.has(href)) this.#seen.set(href, this.#look(init, href));
      seen.push(...(await this.#seen.get(href)!));
    }
    const begin = Date.parse(listed[0]![1]!);
    return seen.map(({ second, ...shown }) => ({
      ...shown,
      time: Math.round(begin + (second - seen[0]!.second) * 1000),
    }));
  }

  async #look(init: Uint8Array, segment: string): Promise<SeenFrame[]> {
    const { pictures, times } = await decodeClip(Buffer.concat([init, await this.bytes(segment)]));
    return pictures.map((picture, i) => {
      const stamp = stampOf(picture);
      assert.ok(stamp, 'every frame has a stamp that can be read');
      return { ...stamp, second: times[i]!, source: sourceFrameOf(picture) };
    });
  }

  #file(url: string) {
    return Promise.resolve(this.streams.route.file(new URL(url), new AbortController().signal));
  }
}

/** Names of the whole segments in a playlist. */
export const namesOf = (playlist: string): string[] =>
  playlist.split('\n').filter((line) => /^\d+\.m4s/.test(line));
