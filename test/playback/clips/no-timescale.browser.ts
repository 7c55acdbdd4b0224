// A clip whose track names no timescale, of which a browser shows one tick each second, between two others.
import { expect } from '@open-wc/testing';
import { clipUrl, closeServices } from './clip-urls.ts';
import { inOrder, openPlayer } from './open-player.ts';

const opened = openPlayer();
after(async () => {
  await opened.close();
  closeServices();
});

/** The address of this clip with a timescale of 0. */
async function withoutTimescale(url: string): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  // After the type: version and flags, two dates, then the timescale, each of 4 bytes.
  const at = text.indexOf('mdhd') + 16;
  expect(bytes.slice(at - 12, at - 8)).to.deep.equal(new Uint8Array(4));
  return URL.createObjectURL(new Blob([bytes.fill(0, at, at + 4)], { type: 'video/mp4' }));
}

it('fails, and the clips before and behind it play', async () => {
  opened.append('First', await clipUrl('First'));
  opened.append('No time', await withoutTimescale(await clipUrl('No time')));
  opened.append('Last', await clipUrl('Last'));
  await opened.played();
  expect(opened.said.filter((what) => !what.startsWith('failed'))).to.deep.equal(inOrder('First', 'Last'));
  expect(opened.said.filter((what) => what.startsWith('failed'))).to.deep.equal([
    'failed No time media_error',
  ]);
});
