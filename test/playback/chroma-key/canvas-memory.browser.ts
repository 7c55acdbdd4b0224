// What canvases that remove a background leave in memory.
import { expect } from '@open-wc/testing';
import { collectGarbage } from '../../collect-garbage.ts';
import { until } from '../../until.ts';
import { openContexts } from './page-contexts.ts';
import { Box, DrawnVideo } from './harness.ts';

/** A variable of the module, because Firefox 153 does not collect what a waiting function references, even by a weak reference. */
const refs: WeakRef<object>[] = [];

/**
 * Shows twenty canvases of this video, one after the other. It is a function of its own, because a waiting test keeps its
 * variables.
 */
async function showTwenty(source: DrawnVideo): Promise<void> {
  let box = new Box(source.video);
  await source.until(() => box.changes > 0);
  for (let n = 0; n < 20; n++) {
    box.end();
    expect(openContexts()).to.deep.equal([]);
    box = new Box(source.video);
    await source.until(() => box.changes > 0);
    refs.push(new WeakRef(box.keyed));
  }
  box.end();
}

it('twenty canvases, one after the other, leave nothing in memory', async () => {
  const source = new DrawnVideo({ backplate: '#d5dee7', signer: '#e8b998' });
  await source.frame();
  await showTwenty(source);
  // A video outside the document is paused, and WebKit reports no frame of it.
  document.body.append(source.video);
  await source.frame();
  await until(
    async () => {
      await collectGarbage();
      return refs.filter((ref) => ref.deref()).length;
    },
    (left) => left === 0,
  );
  source.end();
  source.video.remove();
});
