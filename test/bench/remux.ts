// Measures the conversion of a clip into segments for a SourceBuffer, with two baselines in the same run: mediabunny, which
// does the same, and copying the bytes, which is the minimum.
// - A clip of about 4 s as the sandbox makes it.
// - Each way is warmed up, and then the ways take turns.
import {
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { frameSizes } from '../../demo/sandbox/media/media-spec.ts';
import { encodeFiles } from '../../demo/sandbox/media/media-files.ts';
import { ownBackplate } from '../../demo/sandbox/painter/render-style.ts';
import { ScenePainter } from '../../demo/sandbox/painter/scene-painter.ts';
import { scriptOf } from '../../demo/sandbox/painter/script.ts';
import { remux } from '../../src/playback/mp4/remux.ts';
import { median } from './median.ts';

const WARM_UP = 20;
const ROUNDS = 200;
const SIZE = '720p';

/** 8 words: 4.12 s. */
async function clipBytes(): Promise<Uint8Array> {
  const style = ownBackplate('RAE', frameSizes[SIZE]);
  const script = scriptOf('The train to Leeds leaves from platform two', null);
  const painter = new ScenePainter(style);
  const spec = { style, codec: 'h264', container: 'mp4', bitsPerSecond: null, segmentSeconds: null } as const;
  const files = await encodeFiles(spec, script.gloss.frames, (picture, frame) =>
    painter.paint(picture, script, frame),
  );
  return files[0]!;
}

async function byMediabunny(clip: Uint8Array): Promise<void> {
  const track = await new Input({ source: new BufferSource(clip), formats: [MP4] }).getPrimaryVideoTrack();
  const format = new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: Infinity });
  const output = new Output({ format, target: new BufferTarget() });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source);
  await output.start();
  const decoderConfig = await track!.getDecoderConfig();
  for await (const packet of new EncodedPacketSink(track!).packets()) {
    await source.add(packet, { decoderConfig: decoderConfig! });
  }
  await output.finalize();
}

/** Prints the table; times in ms. */
export async function benchRemux(): Promise<void> {
  const clip = await clipBytes();
  const ways: Readonly<Record<string, () => unknown>> = {
    'copying the bytes': () => clip.slice(),
    'the remuxer': () => remux(clip),
    mediabunny: () => byMediabunny(clip),
  };
  const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const started = performance.now();
      await way();
      if (round >= WARM_UP) times.get(name)!.push(performance.now() - started);
    }
  }
  console.log(`a clip of ${(clip.length / 1000).toFixed(0)} kB, ${SIZE}`);
  const row = ([name, all]: [string, number[]]) =>
    [name, { 'median ms': median(all).toFixed(2), 'slowest ms': Math.max(...all).toFixed(1) }] as const;
  console.table(Object.fromEntries([...times].map(row)));
}
