// `npm run bench`: builds nothing, tests nothing, prints tables. Each figure stands beside a baseline of the same run,
// because the machine may be shared and busy; an absolute goal is for an idle one.
import { benchBytesLoaded } from './bytes-loaded.ts';
import { benchClipEncode } from './clip-encode.ts';
import { benchFirstFrame } from './first-frame.ts';

const benches = {
  'Result frame to first painted frame (goal: no slower than a bare page)': benchFirstFrame,
  'Bytes loaded before the first sign (goal: 20 kB)': benchBytesLoaded,
  'Text to playable clip': benchClipEncode,
};

for (const [title, bench] of Object.entries(benches)) {
  console.log(`\n${title}`);
  await bench();
}
