// A live player with streams of the real sandbox, whose frame stamps and dates show which frame is painted. Look-ups are answered
// in the page.
import { expect } from '@open-wc/testing';
import '../../../src/dash.ts';
import { en } from '../../../src/strings/en.ts';
import { liveEn } from '../../../src/strings/live.ts';
import { setFaults } from '../../backend/client.ts';
import { stampOf } from '../../page/read-stamp.ts';
import {
  ID,
  answerLookups,
  calmStates,
  json,
  mount,
  openStream,
  part,
  said,
  session,
  unmountAll,
  until,
  type EndlessStream,
} from './live-harness.ts';

let signer: EndlessStream;
let composite: EndlessStream;
const { open } = XMLHttpRequest.prototype;
const { setTimeout: wait } = window;

before(async () => {
  [signer, composite] = await Promise.all([openStream(), openStream()]);
});
after(async () => {
  await composite.end();
});
afterEach(async () => {
  XMLHttpRequest.prototype.open = open;
  window.setTimeout = wait;
  await setFaults([]);
  await unmountAll();
});

const manifests = (): object => ({ hls: signer.hls, dash: signer.dash, pip: composite.hls });

it('plays a session muted at the live edge without a gesture; keyboard and buttons pause, play and go live', async () => {
  answerLookups(() => json(session({ manifests: manifests() })));
  const { player, heard } = mount({ session: ID, controls: '' });
  const events: string[] = [];
  for (const type of ['play', 'playing', 'pause', 'streamtypechange', 'targetlivewindowchange']) {
    player.addEventListener(type, () => events.push(type));
  }
  await until(() => heard.states.includes('signing'));
  expect([calmStates(heard), heard.errors]).to.deep.equal([['connecting', 'signing'], []]);
  await until(() => stampOf(player.media!));
  expect([player.paused, player.muted, player.media!.muted]).to.deep.equal([false, true, true]);
  await until(() => events.includes('playing'));
  expect(events).to.include.members(['play', 'streamtypechange', 'targetlivewindowchange']);
  expect(player.currentSrc).to.equal(signer.hls);
  await until(() => player.latency < 4);
  // What media-chrome's controls read of a live stream.
  expect([player.streamType, player.targetLiveWindow, player.duration]).to.deep.equal(['live', 0, Infinity]);
  await until(() => player.currentTime >= player.liveEdgeStart);
  await new Promise((resolve) => player.addEventListener('sign-stats', resolve, { once: true }));
  // The number of bytes by then, and whether it stalled, depend on the machine.
  await until(() => player.stats!.bytes > 10_000 && player.stats!.latency! > 0);
  const { texts, joins, timeToFirstFrame } = player.stats!;
  expect([texts, joins, timeToFirstFrame! > 0]).to.deep.equal([0, 0, true]);
  // The bar is drawn once a second. What it shows may be from before the player was at live.
  await until(() => part(player, 'latency') && !part(player, 'live'));
  expect(part(player, 'latency')!.textContent).to.match(/^Delay \d+\.\d s$/);
  // The text of the delay may be longer or shorter: no button moves under a finger.
  const { right } = part(player, 'fullscreen')!.getBoundingClientRect();
  expect(part(player, 'latency')!.getBoundingClientRect().left).to.be.above(right);

  player.focus();
  await until(() => heard.states.at(-1) === 'signing');
  player.dispatchEvent(new KeyboardEvent('keydown', { key: 'k' }));
  expect([player.paused, heard.states.at(-1)]).to.deep.equal([true, 'ready']);
  await until(() => part(player, 'live'));
  const stood = player.currentTime;
  await until(() => player.latency > 5);
  expect(player.currentTime - stood).to.be.below(1);
  part(player, 'live')!.click();
  await until(() => player.latency < 4 && heard.states.at(-1) === 'signing');
  expect(player.paused).to.equal(false);
  expect(document.activeElement === player).to.equal(true);
  await until(() => part(player, 'live') === null);
});

it('changes the view during playback without a black frame and stays at live; without a composite it shows the signer', async () => {
  const answers = [manifests(), { hls: signer.hls }];
  let answered = 0;
  answerLookups(() => json(session({ manifests: answers[answered] })));
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('signing') && player.latency < 4);
  const first = player.media!;
  let black = 0;
  player.addEventListener('timeupdate', () => (black += player.videoWidth ? 0 : 1));
  player.view = 'composite';
  await until(() => player.media !== first && player.currentSrc === composite.hls);
  // On a busy machine the player may have jumped to live by then. The picture stays meanwhile.
  const { readyState, seeking } = player.media!;
  expect(seeking || readyState >= HTMLMediaElement.HAVE_CURRENT_DATA, `${readyState}`).to.equal(true);
  await until(() => player.latency < 4);
  player.setAttribute('view', 'signer');
  await until(() => player.currentSrc === signer.hls);
  expect([black, calmStates(heard), heard.errors]).to.deep.equal([0, ['connecting', 'signing'], []]);

  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (text: string) => void warnings.push(text);
  try {
    answered = 1;
    player.session = ID.replace('0', '1');
    player.view = 'composite';
    await until(() => calmStates(heard).length > 2 && heard.states.at(-1) === 'signing');
    expect(calmStates(heard).slice(2)).to.deep.equal(['connecting', 'signing']);
    expect(player.currentSrc).to.equal(signer.hls);
    player.view = 'signer';
    await player.updateComplete;
    player.view = 'composite';
    await player.updateComplete;
    expect(warnings.filter((text) => text.includes('composite'))).to.have.length(1);
  } finally {
    console.warn = warn;
  }
});

it('a composite that the session names later than its signer is shown as soon as it is named', async () => {
  // While a video plays, its session is looked up every 30 s.
  window.setTimeout = ((run: () => void, ms = 0) =>
    wait(run, ms >= 20_000 && ms <= 30_000 ? 500 : ms)) as typeof window.setTimeout;
  let named: object = { hls: signer.hls };
  answerLookups(() => json(session({ manifests: named })));
  const { player, heard } = mount({ session: ID, view: 'composite' });
  await until(() => heard.states.includes('signing') && player.currentSrc === signer.hls);
  named = manifests();
  await until(() => player.currentSrc === composite.hls);
  expect([calmStates(heard), heard.errors]).to.deep.equal([['connecting', 'signing'], []]);
});

it('of many changes at once, while connecting or during playback, the last one counts and plays at live', async () => {
  const lookups = answerLookups(() => json(session({ manifests: manifests() })));
  const asked: string[] = [];
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    asked.push(String(url));
    open.call(this, method, url, true);
  };
  const { player, heard } = mount({ src: signer.hls });
  for (let n = 0; n < 50; n++) {
    player.src = `${signer.hls}&n=${n}`;
    player.protocol = n % 2 ? 'hls' : 'dash';
    player.view = n % 2 ? 'composite' : 'signer';
    player.session = n % 2 ? ID : null;
  }
  player.session = null;
  await until(() => heard.states.includes('signing'));
  expect(player.currentSrc).to.equal(`${signer.hls}&n=49`);
  expect([asked.filter((url) => /&n=(?!49)/.test(url)), lookups]).to.deep.equal([[], []]);

  player.src = `${signer.hls}&then`;
  await player.updateComplete;
  expect(heard.states.at(-1)).to.equal('connecting');
  player.session = ID;
  await player.updateComplete;
  player.view = 'signer';
  await until(() => player.currentSrc === signer.hls && heard.states.at(-1) === 'signing');
  player.session = ID.replace('0', '1');
  player.protocol = 'dash';
  await until(() => player.currentSrc === signer.dash && heard.states.at(-1) === 'signing');
  await until(() => player.currentTime >= player.liveEdgeStart);
  await until(() => player.shadowRoot!.querySelectorAll('video').length === 1);
  expect([new Set(lookups).size, heard.errors, player.paused]).to.deep.equal([2, [], false]);
});

it('shows a play button where the browser requires a gesture, and plays when the button is pressed', async () => {
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
  try {
    const { player, heard } = mount({ src: signer.hls });
    await until(() => part(player, 'start') && heard.states.includes('ready'));
    await player.updateComplete;
    expect([player.paused, said(player)]).to.deep.equal([true, en.play]);
    HTMLMediaElement.prototype.play = play;
    part(player, 'start')!.click();
    await until(() => heard.states.includes('signing'));
    expect([part(player, 'start'), heard.errors]).to.deep.equal([null, []]);
  } finally {
    HTMLMediaElement.prototype.play = play;
  }
});

it('a stream that is set during a pause shows its first frame and does not play', async () => {
  answerLookups(() => json(session({ manifests: manifests() })));
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('signing'));
  player.pause();
  player.session = ID.replace('0', '1');
  let plays = 0;
  player.addEventListener('play', () => (plays += 1));
  await until(() => calmStates(heard).length > 4 && heard.states.at(-1) === 'ready');
  for (const src of [signer.hls, `${signer.hls}&again`]) {
    player.session = null;
    player.src = src;
    await player.updateComplete;
    expect(heard.states.at(-1)).to.equal('connecting');
    await until(() => player.currentSrc === src && heard.states.at(-1) === 'ready');
  }
  expect([player.paused, plays]).to.deep.equal([true, 0]);
  expect(calmStates(heard).filter((state) => state === 'signing')).to.deep.equal(['signing']);
});

it('plays DASH with protocol="dash"', async () => {
  answerLookups(() => json(session({ manifests: manifests() })));
  const { player, heard } = mount({ session: ID, protocol: 'dash' });
  await until(() => heard.states.includes('signing'));
  expect(player.currentSrc).to.equal(signer.dash);
});

it('stays target-latency seconds behind live', async () => {
  const { player } = mount({ src: signer.hls, 'target-latency': '6' });
  await until(() => player.latency > 5 && player.latency < 7);
  player.targetLatency = 2.5;
  await until(() => player.latency < 4);
});

it('looks a session up again when its address is refused, and goes on with the new one', async () => {
  let lookups = 0;
  answerLookups(() => {
    lookups += 1;
    return json(session({ manifests: { hls: `${signer.hls}&look=${lookups}.` } }));
  });
  const { player, heard } = mount({ session: ID });
  const look = (): number => Number(/&look=(\d+)\.$/.exec(player.currentSrc)?.[1]);
  await until(() => heard.states.includes('signing') && player.latency < 4);
  const before = look();
  let black = 0;
  player.addEventListener('timeupdate', () => (black += player.videoWidth ? 0 : 1));
  await setFaults([{ fault: 'media_refused', address: `&look=${before}.` }]);
  await until(() => look() > before);
  await until(() => heard.states.at(-1) === 'signing' && player.latency < 4);
  expect([black, heard.errors.map(({ code }) => code)]).to.deep.equal([0, []]);
});

it('starts again when it is put back', async () => {
  answerLookups(() => json(session({ manifests: manifests() })));
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('signing'));
  player.remove();
  await until(() => heard.states.includes('idle'));
  expect(player.media).to.equal(null);
  document.body.append(player);
  await until(() => heard.states.at(-1) === 'signing');
});

it('is finalizing from the end of the stream until the session has ended; the last frame stays', async () => {
  let status = 'active';
  answerLookups(() => json(session({ status, manifests: { hls: signer.hls } })));
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('signing'));
  await signer.end();
  await until(() => heard.states.includes('finalizing'));
  await player.updateComplete;
  expect([player.ended, said(player)]).to.deep.equal([true, liveEn.ending]);
  status = 'ended';
  await until(() => heard.states.includes('ended'));
  await player.updateComplete;
  expect(said(player)).to.equal(liveEn.ended);
  await until(() => stampOf(player.media!));
  expect(heard.errors).to.deep.equal([]);
});
