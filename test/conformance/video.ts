// Reads the kind of a media file: the declared one (Content-Type) and the real one (mediabunny reads container and track).
// - A file over 200 MB, or one that does not come within four minutes, fails.
// - Nothing is decoded here.
import assert from 'node:assert/strict';
import {
  BufferSource,
  EncodedPacketSink,
  Input,
  MP4,
  MPEG_TS,
  QTFF,
  WEBM,
  type EncodedPacket,
  type InputVideoTrack,
} from 'mediabunny';
import { open } from './http.ts';

const MOST_BYTES = 200 * 1024 * 1024;
const containers = { mp4: MP4, mov: QTFF, webm: WEBM, ts: MPEG_TS } as const;
type Container = keyof typeof containers;

export interface Video {
  readonly bytes: Uint8Array;
  /** MIME type without parameters, in small letters. */
  readonly contentType: string;
  readonly container: Container;
  /** `avc`, `hevc`, `vp9`, `av1` or `prores`. */
  readonly codec: string;
  /** RFC 6381, or the sample entry's four letters for ProRes. */
  readonly codecString: string | null;
  readonly width: number;
  readonly height: number;
  /** Seconds. */
  readonly duration: number;
  /** The pictures carry an alpha plane. */
  readonly alpha: boolean;
}

/** Gets a media file. */
export async function fetchMedia(url: string): Promise<{ bytes: Uint8Array; contentType: string }> {
  const response = await open(url);
  assert.equal(response.status, 200, 'the media URL serves its file');
  assert.ok(Number(response.headers.get('content-length') ?? 0) <= MOST_BYTES, 'the file is of a sane size');
  const contentType = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  return { bytes: new Uint8Array(await response.arrayBuffer()), contentType };
}

/** The alpha nibble of a ProRes frame header: 8 bytes of frame size and `icpf`, then byte 17 of the header. */
const proresAlpha = ({ data }: EncodedPacket): boolean => (data[8 + 17]! & 0x0f) !== 0;

async function hasAlpha(track: InputVideoTrack): Promise<boolean> {
  const first = await new EncodedPacketSink(track).getFirstPacket();
  assert.ok(first, 'the track has a picture');
  return track.codec === 'prores' ? proresAlpha(first) : first.sideData.alpha !== undefined;
}

/** @throws AssertionError when the bytes are no video file of a container that the documents name */
export async function readVideo(bytes: Uint8Array, contentType = ''): Promise<Video> {
  const input = new Input({ formats: Object.values(containers), source: new BufferSource(bytes) });
  const format = await input.getFormat();
  const container = (Object.keys(containers) as Container[]).find((name) => containers[name] === format);
  const track = await input.getPrimaryVideoTrack();
  assert.ok(container && track, 'the file holds video');
  return {
    bytes,
    contentType,
    container,
    codec: track.codec ?? 'unknown',
    codecString: await track.getCodecParameterString(),
    width: track.codedWidth,
    height: track.codedHeight,
    duration: (await track.computeDuration()) - (await track.getFirstTimestamp()),
    alpha: await hasAlpha(track),
  };
}

/** Gets a media file and takes it apart. */
export async function fetchVideo(url: string): Promise<Video> {
  const { bytes, contentType } = await fetchMedia(url);
  return readVideo(bytes, contentType);
}

/** A presigned URL without its signature serves nothing. */
export async function assertSigned(url: string): Promise<void> {
  const bare = new URL(url);
  assert.notEqual(bare.search, '', 'a presigned URL carries its signature');
  bare.search = '';
  const response = await open(bare.href);
  await response.body?.cancel();
  assert.ok(response.status >= 400, `without its signature it answers ${response.status}`);
}
