// Which bytes of clips are kept: clips of 20 MB each, of which the limit of 64 MB holds three, from a media server that is written
// here.
// - Clips are fetched in playing order. A clip that was removed is fetched again when it is played again, by a fresh address when
//   the old one is refused.
import { expect } from '@open-wc/testing';
import { clipUrl, closeServices } from './clip-urls.ts';
import { clipAt, inOrder, openPlayer, type OpenPlayer, until } from './open-player.ts';

const { fetch } = window;
const SIZE = 20_000_000;
const names = ['1', '2', '3', '4', '5'];

let opened: OpenPlayer;
/** Addresses in the order of their requests. */
const asked: string[] = [];
const refused = new Set<string>();

/** The clip of a text, followed by a box that players skip. */
async function heavyClip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const clip = new Uint8Array(await (await fetch(await clipUrl(text))).arrayBuffer());
  const heavy = new Uint8Array(SIZE);
  heavy.set(clip);
  new DataView(heavy.buffer).setUint32(clip.length, SIZE - clip.length);
  heavy.set(new TextEncoder().encode('free'), clip.length + 4);
  return heavy;
}

beforeEach(async () => {
  opened = openPlayer();
  asked.length = 0;
  refused.clear();
  const heavy = await heavyClip('One');
  window.fetch = (input, init) => {
    const name = /^https:\/\/media\.example\/(.+)$/.exec(String(input))?.[1];
    if (name === undefined) return fetch(input, init);
    asked.push(name);
    return Promise.resolve(refused.has(name) ? new Response(null, { status: 403 }) : new Response(heavy));
  };
  opened.player.playbackRate = 2;
  for (const name of names) {
    const renew = (): Promise<string> => Promise.resolve(`https://media.example/fresh-${name}`);
    opened.player.append(clipAt(`https://media.example/${name}`, name, opened.said, { renew }));
  }
});
afterEach(async () => {
  window.fetch = fetch;
  await opened.close();
});
after(closeServices);

it('a clip is fetched when it is the next one, and not before while 16 MB lie ahead; none is fetched twice', async () => {
  const { player } = opened;
  const looks: unknown[] = [];
  player.addEventListener('timeupdate', () => {
    const { buffered, seekable, duration } = player;
    looks.push([buffered.length > 0, seekable.length, seekable.start(0), seekable.end(0) === duration]);
  });
  await opened.played();
  expect(looks).to.not.have.length(0);
  for (const look of looks) expect(look).to.deep.equal([true, 1, 0, true]);
  expect(opened.said).to.deep.equal(inOrder(...names));
  expect(asked).to.deep.equal(names);
});

it('played clips are removed first, and a clip that is played again is fetched by a fresh address when the old one is refused', async () => {
  await opened.played();
  asked.length = 0;
  opened.said.length = 0;
  for (const name of names) refused.add(name);
  opened.player.currentTime = 0;
  await until(() => opened.player.ended);
  expect(opened.said).to.deep.equal(inOrder(...names));
  // The third clip stayed in memory; the last two were removed for the first one.
  expect(asked.toSorted()).to.deep.equal(
    ['1', '2', '4', '5'].flatMap((name) => [name, `fresh-${name}`]).toSorted(),
  );
});
