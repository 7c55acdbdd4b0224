// Firefox itself refuses autoplay here: it plays nothing, not even a muted video, before the visitor has touched the page
// (`media.autoplay.default` 5).
// - The browser's own mouse presses the buttons, because a click that a script makes is no gesture.
// - All four elements are on one page.
import { expect } from '@open-wc/testing';
import { sendMouse } from '@web/test-runner-commands';
import '../../src/define/sign-announcement.ts';
import '../../src/define/sign-live-player.ts';
import '../../src/define/sign-silence-loop.ts';
import '../../src/define/sign-translate.ts';
import type { SignElement } from '../../src/elements/sign-element.ts';
import { proxyAddress } from '../backend/client.ts';
import { openStream } from '../elements/live/live-harness.ts';
import { until } from '../until.ts';

const unheard: unknown[] = [];
window.addEventListener('unhandledrejection', ({ reason }) => unheard.push(reason));

const startOf = (element: SignElement): HTMLElement | null =>
  element.shadowRoot?.querySelector<HTMLElement>('[part~=start]') ?? null;

/** The state of the element, for the message of an error. */
const standing = ({ localName, paused, currentTime, media }: SignElement): unknown => ({
  localName,
  paused,
  currentTime,
  video: media && { paused: media.paused, readyState: media.readyState, error: media.error?.message },
});

/** Whether the element has played, from now on. The clip may be over before the browser reports that its mouse has clicked. */
function whenPlayed(element: SignElement): () => boolean {
  let hasPlayed = false;
  element.addEventListener('timeupdate', () => {
    hasPlayed ||= !element.paused && element.media?.paused === false && element.currentTime > 0;
  });
  return () => hasPlayed;
}

async function press(button: HTMLElement): Promise<void> {
  button.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = button.getBoundingClientRect();
  await sendMouse({
    type: 'click',
    position: [Math.round(left + width / 2), Math.round(top + height / 2)],
  });
}

it('each element shows a play button and no error, and starts when it is pressed', async () => {
  const proxy = await proxyAddress();
  const stream = await openStream();
  const attributes = {
    'sign-translate': {
      text: 'Good morning, the office is open until noon',
      'idle-after': 'none',
      resolution: '480p',
    },
    'sign-live-player': { src: stream.hls },
    'sign-silence-loop': { format: 'mp4' },
    'sign-announcement': { destination: 'EUS', timing: '1000' },
  };
  const errors: string[] = [];
  const elements = Object.entries(attributes).map(([name, values]) => {
    const element = document.createElement(name) as SignElement;
    for (const [attribute, value] of Object.entries({ proxy, ...values }))
      element.setAttribute(attribute, value);
    element.style.inlineSize = '240px';
    element.addEventListener('sign-error', ({ detail }) => errors.push(`${name} ${detail.error.code}`));
    document.body.append(element);
    return element;
  });
  try {
    for (const element of elements) {
      const button = await until(() => startOf(element));
      expect([element.localName, element.paused, element.media?.paused]).to.deep.equal([
        element.localName,
        true,
        true,
      ]);
      expect(button!.textContent.trim(), element.localName).to.equal('Play');
    }
    for (const element of elements) {
      const played = whenPlayed(element);
      await press(startOf(element)!);
      await until(played, Boolean, () => [standing(element), errors]);
      expect([element.localName, startOf(element)]).to.deep.equal([element.localName, null]);
    }
    expect([unheard, errors]).to.deep.equal([[], []]);
  } finally {
    for (const element of elements) element.remove();
    await stream.end();
  }
}).timeout(120_000);
