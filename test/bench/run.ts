// `npm run bench [name …] [minutes]`: prints tables of all benches, or of those named. Run `npm run build` before it.
// - Each figure has a baseline of the same run, because the machine may be shared and busy; an absolute goal is for an idle one.
import { benchBytesLoaded } from './bytes-loaded.ts';
import { benchClipEncode } from './clip-encode.ts';
import { benchFirstFrame } from './first-frame.ts';
import { benchHeap } from './heap.ts';
import { benchJoins } from './joins.ts';
import { benchKeying } from './keying.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchLiveDelay } from './live-delay.ts';
import { benchLiveHostile } from './live-hostile.ts';
import { benchLivePlayer } from './live-player.ts';
import { benchLiveStreams } from './live-streams.ts';
import { benchOutage } from './outage.ts';
import { benchOutagePage } from './outage-page.ts';
import { benchPageClick } from './page-click.ts';
import { benchPageCost } from './page-cost.ts';
import { benchPageScan } from './page-scan.ts';
import { benchRemux } from './remux.ts';
import { benchStreamLatency } from './stream-latency.ts';

const benches: Readonly<
  Record<string, readonly [title: string, bench: (minutes?: number) => Promise<void>]>
> = {
  'first-frame': ['Result frame to first painted frame (goal: no slower than a bare page)', benchFirstFrame],
  joins: [
    'Joins, 25 fps sampled at 60 Hz (goal: median 40 ms, 95th percentile 54 ms, none blank, none lost)',
    benchJoins,
  ],
  heap: ['Heap after 500 clips (goal: under 2 MB more, one video, one socket)', benchHeap],
  keying: ['Keyed beside plain video, drawn by software (goal: 15 frames a second at 480p)', benchKeying],
  bytes: [
    'Bytes loaded (goal, without headers: 16 kB with the page, 52 kB to the first sign)',
    benchBytesLoaded,
  ],
  outage: [
    'Texts over outages of the network, the proxy and a gateway (goal: none lost, none twice)',
    benchOutage,
  ],
  'outage-page': [
    'Texts of a page in Chromium over the same outages and those of the media host (goal: none lost, none twice, in order)',
    benchOutagePage,
  ],
  page: [
    'What a page pays for a signer until it is used (goal: 6 kB for a button, no long task, no layout shift, no heap left)',
    benchPageCost,
  ],
  lighthouse: ['Lighthouse of an article with a signer and without (goal: no point lost)', benchLighthouse],
  click: [
    'From a click on a paragraph to the first frame (goal: 100 ms cold and 40 ms warm beyond the service)',
    benchPageClick,
  ],
  scan: [
    'A long page cut into sentences (goal: 5,000 sentences 50 ms in all, slices of at most 8 ms)',
    benchPageScan,
  ],
  remux: ['A 4 s clip remuxed for one timeline, beside mediabunny', benchRemux],
  clips: ['Text to playable clip', benchClipEncode],
  streams: ['What a growing stream costs (goal: 10 % of a core each at 720p)', benchLiveStreams],
  live: [
    'A pushed 720p frame until a playlist lists it (goal: 3 s to the glass, 0.6 s of it a player’s)',
    benchLiveDelay,
  ],
  'live-player': [
    'The live player beside stock players (goal: painted latency at most 0.95 of hls.js, start no slower, no more stalls)',
    benchLivePlayer,
  ],
  hostile: [
    'The live player beside hls.js where servers misbehave; a number is that of starts (goal: no more stalls, not later)',
    benchLiveHostile,
  ],
  latency: ['Text to painted picture in stream mode (goal: 1 s median)', benchStreamLatency],
};

const asked = process.argv.slice(2);
/** Minutes of a bench whose duration can be chosen. */
const minutes = asked.map(Number).find((value) => value > 0);
const named = asked.filter((word) => !(Number(word) > 0));
const unknown = named.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}: ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
for (const [name, [title, bench]] of Object.entries(benches)) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.log(`\n${title}`);
  await bench(minutes);
}
