// A stream of a text that has its end, taken apart: its initialisation segment, and segments of a second each.
import { operate } from '../../backend/client.ts';
import { until } from './harness.ts';

interface EndedStream {
  /** Of MPEG-TS, which has none, the address of the playlist. */
  readonly init: string;
  readonly segments: readonly string[];
}

/** The addresses of the stream of this text, which lasts this many seconds. */
export async function endedStream(
  seconds: number,
  text = 'Taken apart',
  hlsSegmentType: 'fmp4' | 'ts' = 'fmp4',
): Promise<EndedStream> {
  const config = { resolution: '426x240', hlsSegmentType, hlsSegmentDuration: 1 };
  const { manifests } = (await operate('POST', '/v2/generate', {
    content: { type: 'text', data: text, duration: seconds },
    output: { format: 'hls', delivery: { method: 'stream', config } },
    context: { application: 'ended-stream' },
  })) as { manifests: { hls: string } };
  let playlist = '';
  await until(async () => {
    playlist = await (await fetch(manifests.hls)).text();
    return playlist.includes('#EXT-X-ENDLIST');
  });
  const absolute = (url: string): string => new URL(url, manifests.hls).href;
  const lines = playlist.split('\n');
  const init = /#EXT-X-MAP:URI="([^"]+)"/.exec(playlist)?.[1] ?? '';
  return {
    init: absolute(init),
    segments: lines.filter((line) => line !== '' && !line.startsWith('#')).map(absolute),
  };
}

export const bytesOf = async (url: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await (await fetch(url)).arrayBuffer());

export const addressOf = (part: BlobPart, type: string): string =>
  URL.createObjectURL(new Blob([part], { type }));
