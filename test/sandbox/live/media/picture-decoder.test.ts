// Pictures whose header declares a size above the limit, and pictures that are decoded while the source is late.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LiveProblem } from '../../../../demo/sandbox/live/media/live-messages.ts';
import { PictureDecoder } from '../../../../demo/sandbox/live/media/picture-decoder.ts';
import { SourceInput } from '../../../../demo/sandbox/live/media/source-input.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { ffmpegNow } from './stamped-source.ts';

const never = new AbortController().signal;

/** MPEG-2 of 320 by 180 in a transport stream whose sequence headers from this second on declare another size. */
function grown(folder: string, from: number, width: number, height: number): string {
  const file = join(folder, 'grown.ts');
  const video = ['-c:v', 'mpeg2video', '-g', '25', '-f', 'mpegts'];
  ffmpegNow(['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-t', '6', ...video, file]);
  const bytes = readFileSync(file);
  const header = Buffer.from([0, 0, 1, 0xb3, 0x14, 0x00, 0xb4]);
  for (let at = 0, second = 0; (at = bytes.indexOf(header, at)) >= 0; at += header.length, second++) {
    if (second < from) continue;
    // Twelve bits of each side, and the two above them in the extension after it (ISO/IEC 13818-2, 6.2.2).
    bytes.writeUIntBE((width & 0xfff) * 4096 + (height & 0xfff), at + 4, 3);
    const extension = bytes.indexOf(Buffer.from([0, 0, 1, 0xb5]), at) + 4;
    bytes[extension + 1]! |= width >> 13;
    bytes[extension + 2]! |= ((width >> 5) & 0x80) | ((height >> 7) & 0x60);
  }
  writeFileSync(file, bytes);
  return file;
}

/** H.264 in a transport stream, 25 pictures a second, with key frames at these seconds only. */
function keyed(folder: string, seconds: number, keys: string): string {
  const file = join(folder, 'keyed.ts');
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '9999', '-force_key_frames', keys];
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25', '-t', String(seconds)];
  ffmpegNow([...picture, ...video, '-sc_threshold', '0', '-f', 'mpegts', file]);
  return file;
}

/** @returns the number of pictures in the file */
async function decodeAll(file: string, bytesOfEach: number, isBehind = false): Promise<number> {
  let pictures = 0;
  const address = { url: file, format: 'mpegts', name: 'MPEG-TS', options: {}, silentMs: 5000 } as const;
  const input = await SourceInput.open({ ...address, ingestUrl: null, listener: null }, never).input;
  try {
    const decoder = new PictureDecoder(input.video);
    try {
      for (let packet = await input.read(never); packet; packet = await input.read(never)) {
        for (const { frame, bytes } of decoder.decode(packet)) {
          decoder.isBehind = isBehind;
          pictures += 1;
          assert.equal(bytes, bytesOfEach);
          frame.free();
        }
      }
      return pictures;
    } finally {
      decoder.close();
    }
  } finally {
    await input.close();
  }
}

for (const [when, from, width, height, why] of [
  ['at once', 0, 16_000, 16_000, 'the picture of the source is too large'],
  ['later on', 1, 4080, 2320, 'the picture of the source cannot be decoded'],
] as const) {
  test(`a picture of ${width} by ${height} ends the source ${when}`, async () => {
    const file = grown(temporaryFolder(), from, width, height);
    await assert.rejects(
      decodeAll(file, (320 * 180 * 3) / 2),
      (error) => error instanceof LiveProblem && error.message === why,
    );
  });
}

for (const [what, keys, seconds, least, most] of [
  ['has a key frame a second: they are decoded and nothing else is', 'expr:gte(t,n_forced)', 8, 6, 50],
  ['has one key frame: every picture is decoded', '0', 18, 440, 450],
  ['has no more key frames: the others are decoded again', '0,1,2', 18, 125, 260],
] as const) {
  test(`a source that is late and ${what}`, async () => {
    const pictures = await decodeAll(keyed(temporaryFolder(), seconds, keys), (160 * 90 * 3) / 2, true);
    assert.ok(pictures >= least && pictures <= most, `${pictures} of ${seconds * 25} pictures`);
  });
}
