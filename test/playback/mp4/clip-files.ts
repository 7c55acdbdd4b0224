// Makes MP4 files of many kinds with FFmpeg: codings, orders of frames, edit lists and fragments.
// - All are small (a second of 160x90) and made in five runs of FFmpeg, which take a few seconds
//   together.
// - The folder is removed after the files were read.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** FFmpeg's options by file name; the name ends with the extension of the file. */
type Recipes = Readonly<Record<string, string>>;

const picture = '-map 0:v';
const withSound = '-map 0:v -map 1:a -c:a aac -shortest';
const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';
const reordered =
  '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 12 -bf 3 -x264-params b-adapt=0:b-pyramid=normal';

/** Encoded from a moving picture and a tone. */
const encoded: Recipes = {
  'baseline.mp4': `${picture} ${x264} -profile:v baseline`,
  'main, one B-frame.mp4': `${picture} ${reordered} -profile:v main -bf 1`,
  'high, two B-frames.mp4': `${picture} ${reordered} -bf 2`,
  'high, three B-frames.mp4': `${picture} ${reordered}`,
  'open groups.mp4': `${picture} ${reordered} -x264-params open-gop=1:b-adapt=0:keyint=10:bframes=3`,
  'B-frames without an edit list.mp4': `${picture} ${reordered} -use_editlist 0`,
  'B-frames shifted backwards.mp4': `${picture} ${reordered} -movflags negative_cts_offsets`,
  'index in front.mp4': `${picture} ${x264} -movflags faststart`,
  'index in front, with sound.mp4': `${withSound} ${reordered} -movflags faststart`,
  'index behind, with sound.mp4': `${withSound} ${reordered}`,
  'sound first.mp4': `-map 1:a -map 0:v -c:a aac -shortest ${reordered}`,
  'odd size in 4:4:4.mp4': `${picture} ${x264} -pix_fmt yuv444p -vf scale=161:91`,
  'size that needs cropping.mp4': `${picture} ${x264} -vf scale=154:86,setsar=1`,
  'pixels that are not square.mp4': `${picture} ${x264} -vf setsar=4/3`,
  'ten bits.mp4': `${picture} ${x264} -pix_fmt yuv420p10le`,
  'interlaced.mp4': `${picture} ${reordered} -vf scale=160:88 -flags +ildct+ilme -x264-params tff=1`,
  '23.976 frames a second.mp4': `${picture} ${reordered} -vf fps=24000/1001`,
  '29.97 frames a second.mp4': `${picture} ${reordered} -vf fps=30000/1001`,
  '60 frames a second.mp4': `${picture} ${reordered} -vf fps=60`,
  'uneven times.mp4': `${picture} ${x264} -vf select=lt(mod(n\\,5)\\,3) -vsync vfr`,
  'uneven times with B-frames.mp4': `${picture} ${reordered} -vf select=lt(mod(n\\,5)\\,3) -vsync vfr`,
  'key frames only.mp4': `${picture} ${x264} -g 1`,
  'one frame.mp4': `${picture} ${x264} -frames:v 1`,
  'a clock of a million.mp4': `${picture} ${reordered} -video_track_timescale 1000000`,
  'QuickTime.mov': `${withSound} ${reordered}`,
  'two video tracks.mp4': `-map 0:v -map 0:v ${x264} -b:v:1 20k`,
  'H.265.mp4': `${picture} -c:v libx265 -preset ultrafast -tag:v hvc1 -x265-params log-level=none:pools=1`,
  'H.265 with sets in band.mp4': `${picture} -c:v libx265 -preset fast -tag:v hev1 -x265-params log-level=none:pools=1`,
  'VP9.mp4': `${picture} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p`,
  'AV1.mp4': `${picture} -c:v libaom-av1 -cpu-used 8 -usage realtime -pix_fmt yuv420p`,
  'MPEG-4 part 2.mp4': `${picture} -c:v mpeg4`,
  'sound alone.mp4': '-map 1:a -c:a aac',
};

/** Copied from `index behind, with sound.mp4`, without encoding again. */
const repacked: Recipes = {
  'fragments behind an index.mp4': '-movflags frag_keyframe',
  'fragments.mp4': '-movflags frag_keyframe+empty_moov',
  'fragments that know their edit list.mp4': '-movflags frag_keyframe+empty_moov+delay_moov',
  'fragments counted from themselves.mp4': '-movflags frag_keyframe+empty_moov+default_base_moof',
  'fragments of one track each.mp4': '-movflags frag_keyframe+empty_moov+separate_moof',
  'fragments of DASH.mp4': '-an -movflags dash+delay_moov+frag_keyframe',
  'fragments of CMAF.mp4': '-an -movflags cmaf+frag_keyframe',
  'a fragment a frame.mp4': '-an -movflags frag_every_frame+empty_moov+default_base_moof',
  'smooth streaming.ismv': '-movflags frag_keyframe -f ismv',
  'turned.mp4': '-an -metadata:s:v rotate=90',
  'sets in the samples too.mp4': '-an -bsf:v h264_mp4toannexb',
};

/** As `repacked`, with options before the input file. */
const cut: Recipes = {
  'cut at a key frame.mp4': '-ss 0.48',
  'cut between key frames.mp4': '-ss 0.6',
  'late by half a second.mp4': '-itsoffset 0.5',
};

export interface ClipFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const words = (options: string): string[] => options.split(' ').filter(Boolean);

/** Makes all clips. */
export async function makeClips(): Promise<readonly ClipFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'clips-'));
  const outputs = (recipes: Recipes): string[] =>
    Object.entries(recipes).flatMap(([name, options]) => [...words(options), join(folder, name)]);
  const ffmpeg = (...args: readonly string[]) =>
    run('ffmpeg', ['-nostdin', '-v', 'error', '-filter_complex_threads', '1', ...args]);
  try {
    const moving = ['-f', 'lavfi', '-t', '1', '-i', 'testsrc2=size=160x90:rate=25'];
    const tone = ['-f', 'lavfi', '-t', '1', '-i', 'sine'];
    await ffmpeg(...moving, ...tone, ...outputs(encoded));
    const whole = join(folder, 'index behind, with sound.mp4');
    const copies = Object.entries(repacked).flatMap(([name, options]) => [
      ...['-map', '0', '-c', 'copy', ...words(options)],
      join(folder, name),
    ]);
    await ffmpeg('-i', whole, ...copies);
    for (const [name, options] of Object.entries(cut)) {
      await ffmpeg(...words(options), '-i', whole, ...['-map', '0:v', '-c', 'copy'], join(folder, name));
    }
    return Object.keys({ ...encoded, ...repacked, ...cut }).map((name) => ({
      name,
      bytes: new Uint8Array(readFileSync(join(folder, name))),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
