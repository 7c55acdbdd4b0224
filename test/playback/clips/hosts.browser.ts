// Media hosts of all kinds, one clip of each in one playlist.
import { expect } from '@open-wc/testing';
import type { Fault } from '../../../demo/sandbox/index.ts';
import { setFaults } from '../../backend/client.ts';
import { anotherUrl, clipUrl, closeServices } from './clip-urls.ts';
import { inOrder, openPlayer } from './open-player.ts';

type Host = Omit<Extract<Fault, { fault: 'media_host' }>, 'fault' | 'address'>;

/** Hosts that a script may read. */
const readable = {
  Whole: { ranges: false, length: false },
  Redirects: { redirects: 3 },
  Type: { type: 'text/plain' },
} satisfies Record<string, Host>;

/** Hosts whose clips only a video gets. */
const opaque = {
  Opaque: { cors: false },
  Piece: { cors: false, ranges: false, length: false },
  Moved: { cors: false, redirects: 3 },
  Referrer: { referrer: true },
  Expired: { cors: false },
} satisfies Record<string, Host>;

const hosts: Readonly<Record<string, Host>> = { ...readable, ...opaque };

const opened = openPlayer();
after(async () => {
  await setFaults([]);
  await opened.close();
  closeServices();
});

/** Played by the address itself, in the order of playing. */
const byAddress: string[] = [];

function append(text: string, url: string): void {
  const clip = opened.append(text, url, () => anotherUrl(text));
  const { ended } = clip;
  clip.ended = () => {
    ended();
    if (opened.player.media!.src.startsWith('http')) byAddress.push(text);
  };
}

it('clips of all hosts play in order: joined where a script may read them, else by their address', async () => {
  const texts = ['First', ...Object.keys(readable), 'Opaque', 'Behind', 'Piece', 'Moved', 'Referrer'];
  const urls = new Map<string, string>();
  for (const text of [...texts, 'Between', 'Last']) urls.set(text, await clipUrl(text));
  await setFaults([{ fault: 'media_expired', count: 1 }]);
  const expired = await anotherUrl('Expired');
  urls.set('Expired', expired);
  const nameIn = (url: string): string => new URL(url).pathname.split('/').at(-1)!;
  await setFaults(
    Object.entries(hosts).map(([text, host]) => ({
      fault: 'media_host',
      address: nameIn(urls.get(text)!),
      ...host,
    })),
  );
  opened.player.playbackRate = 2;
  for (const text of [...texts, 'Expired', 'Between']) append(text, urls.get(text)!);
  append('Last', urls.get('Last')!);
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder(...texts, 'Expired', 'Between', 'Last'));
  // Clips are joined again behind those.
  expect(byAddress).to.deep.equal(Object.keys(opaque));
});
