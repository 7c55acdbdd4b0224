// What canvases that remove a background leave in memory.
import { expect } from '@open-wc/testing';
import { collectGarbage } from '../../collect-garbage.ts';
import { until } from '../../until.ts';
import { openContexts } from './page-contexts.ts';
import { Box, DrawnVideo } from './harness.ts';

it('twenty canvases, one after the other, leave nothing in memory', async () => {
  const source = new DrawnVideo({ backplate: '#d5dee7', signer: '#e8b998' });
  await source.frame();
  let box = new Box(source.video);
  await source.until(() => box.changes > 0);
  const refs: WeakRef<object>[] = [];
  for (let n = 0; n < 20; n++) {
    box.end();
    expect(openContexts()).to.deep.equal([]);
    box = new Box(source.video);
    await source.until(() => box.changes > 0);
    refs.push(new WeakRef(box.keyed));
  }
  box.end();
  // A video outside the document is paused, and WebKit reports no frame of it.
  document.body.append(source.video);
  await source.frame();
  // The last one is still held by this file.
  await until(async () => {
    await collectGarbage();
    return refs.filter((ref) => ref.deref()).length <= 1;
  });
  source.end();
  source.video.remove();
});
