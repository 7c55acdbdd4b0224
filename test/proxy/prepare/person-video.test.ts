// Videos as people bring them to the review page, made by FFmpeg, and what is kept of each.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { personVideo, VideoError } from '../../../proxy/prepare/person-video.ts';
import { remux } from '../../../src/playback/mp4/remux.ts';
import { probe } from '../../ffmpeg/probe.ts';

const folder = mkdtempSync(join(tmpdir(), 'person-'));
after(() => rmSync(folder, { recursive: true }));

const ffmpeg = (...args: readonly string[]): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-threads', '1', ...args], { maxBuffer: 1e8 });

let files = 0;

/** A video of one second with a tone, made with these options of FFmpeg. */
function recorded(kind: string, ...options: readonly string[]): Buffer {
  const file = join(folder, `${(files += 1)}.${kind}`);
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=96x64:rate=25:duration=1'];
  const tone = ['-f', 'lavfi', '-i', 'sine=duration=1'];
  ffmpeg(...picture, ...tone, '-pix_fmt', 'yuv420p', '-threads', '1', ...options, file);
  return readFileSync(file);
}

/** The MD5 of each frame of these videos as it is shown: turned as the file says. */
function framesOf(...videos: readonly Uint8Array[]): string[][] {
  const named = videos.map((video, i) => ({ video, file: join(folder, `frames-${i}.mp4`) }));
  for (const { video, file } of named) writeFileSync(file, video);
  const outputs = named.flatMap(({ file }, i) => [
    ...['-map', `${i}:v`, '-fps_mode', 'passthrough', '-f', 'framemd5', `${file}.md5`],
  ]);
  ffmpeg(...named.flatMap(({ file }) => ['-i', file]), ...outputs);
  return named.map(({ file }) => {
    const lines = readFileSync(`${file}.md5`, 'utf8').split('\n');
    return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',')[5]!.trim());
  });
}

const placeOf = (file: Uint8Array, type: string): number => Buffer.from(file).indexOf(type);

test('a recording of a phone or a camera keeps every frame, has its index in front and no sound', () => {
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast'];
  const recordings: Record<string, Buffer> = {
    'index behind': recorded('mp4', ...h264),
    'index in front': recorded('mp4', ...h264, '-movflags', 'faststart'),
    'B-frames': recorded('mp4', '-c:v', 'libx264', '-bf', '3'),
    'a .mov of a phone': recorded('mov', ...h264, '-tag:v', 'avc1', '-metadata', 'make=Phone'),
    turned: recorded('mov', ...h264, '-metadata:s:v:0', 'rotate=90'),
    fragments: recorded('mp4', ...h264, '-g', '10', '-movflags', 'frag_keyframe+empty_moov'),
    'baseline, no sound': recorded('mp4', ...h264, '-profile:v', 'baseline', '-an'),
  };
  for (const [name, video] of Object.entries(recordings)) {
    const kept = personVideo(video);
    assert.ok(placeOf(kept, 'moov') < placeOf(kept, 'mdat'), name);
    const [after, before] = framesOf(kept, video);
    assert.ok(before!.length > 20, name);
    assert.deepEqual(after, before, name);
    const { streams, format } = probe(kept);
    assert.deepEqual(
      streams.map((stream) => stream.codec_type),
      ['video'],
      name,
    );
    assert.equal(Number(format.start_time), 0, name);
    assert.ok(Math.abs(Number(format.duration) - 1) < 0.05, `${name}: ${format.duration} s`);
    assert.equal(remux(kept).frames, remux(video).frames, name);
  }
});

test('the file that visitors get does not contain the place and the device of the recording', () => {
  const metadata = [
    '-metadata',
    'location=+51.5034-000.1276/',
    '-metadata',
    'make=Tell',
    '-metadata',
    'model=Tale 9',
  ];
  for (const kind of ['mov', 'mp4']) {
    const video = recorded(kind, '-c:v', 'libx264', ...metadata, '-movflags', 'faststart+use_metadata_tags');
    const kept = Buffer.from(personVideo(video));
    for (const word of ['+51.5034', 'Tell', 'Tale 9']) {
      assert.ok(video.includes(word), `${kind} tells ${word}`);
      assert.ok(!kept.includes(word), `${kind} still tells ${word}`);
    }
  }
});

test('a video that some browsers do not play, and a file that is no video, are refused with a message that says what to do', () => {
  const said = (video: Uint8Array): string => {
    try {
      personVideo(video);
    } catch (error) {
      assert.ok(error instanceof VideoError, String(error));
      return error.message;
    }
    return 'taken';
  };
  const export264 = /export it again as MP4 with H\.264/;
  const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:pools=1'];
  const hevc = said(recorded('mov', ...h265, '-tag:v', 'hvc1'));
  assert.match(hevc, /^its video is HEVC/);
  assert.match(hevc, export264);
  const deep = said(recorded('mp4', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'));
  assert.match(deep, /^its H\.264 has 10 bits/);
  const prores = said(recorded('mov', '-c:v', 'prores_ks', '-pix_fmt', 'yuv422p10le'));
  assert.match(prores, /^its video is ap\w\w, which not every browser plays: export/);
  assert.match(said(recorded('mp4', '-c:v', 'libvpx-vp9')), /^its video is vp09/);
  assert.equal(said(recorded('webm', '-c:v', 'libvpx-vp9')), 'it is no MP4 or QuickTime video');
  assert.equal(said(recorded('m4a', '-vn')), 'there is no video in it');

  const whole = recorded('mp4', '-c:v', 'libx264', '-movflags', 'faststart');
  assert.match(said(whole.subarray(0, whole.length - 500)), /^it is cut off or damaged/);
  assert.match(said(whole.subarray(0, 900)), /^it is cut off or damaged/);
  const behind = recorded('mp4', '-c:v', 'libx264');
  assert.match(said(behind.subarray(0, behind.length - 500)), /^it is cut off or damaged/);
  for (const none of ['', 'Hello.', '<!doctype html>', '\x89PNG\r\n\x1a\n'])
    assert.equal(said(Buffer.from(none, 'latin1')), 'it is no MP4 or QuickTime video');
});

test('a video of two hours is refused for its length, and one of eleven minutes', () => {
  /** A video of this many minutes: one minute, repeated. */
  const long = (minutes: number, rate: number): Buffer => {
    const [minute, file] = [join(folder, 'minute.mp4'), join(folder, 'long.mp4')];
    const picture = `color=size=32x32:rate=${rate}:duration=60`;
    ffmpeg('-f', 'lavfi', '-i', picture, '-c:v', 'libx264', '-preset', 'ultrafast', minute);
    ffmpeg('-stream_loop', String(minutes - 1), '-i', minute, '-c', 'copy', file);
    return readFileSync(file);
  };
  const refused = (video: Buffer): string => {
    let message = 'taken';
    assert.throws(
      () => personVideo(video),
      (error: Error) => ((message = error.message), true),
    );
    return message;
  };
  assert.match(refused(long(120, 10)), /^it is too long .*: a clip has at most 10 minutes$/);
  assert.equal(refused(long(11, 1)), 'it lasts 11 minutes, and a clip at most 10');
});
