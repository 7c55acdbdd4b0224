// Shared by the tests of a browser's windows: a real click that opens a window, and texts whose clips fall back to two videos.
import { sendMouse } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { setFaults } from '../backend/client.ts';
import { unmountAll } from './harness.ts';

const { appendBuffer } = SourceBuffer.prototype;

/** Takes the elements off the page and undoes `closeSource()`. */
export async function endWindows(): Promise<void> {
  SourceBuffer.prototype.appendBuffer = appendBuffer;
  if (document.fullscreenElement) await document.exitFullscreen();
  await unmountAll();
  await setFaults([]);
}

/** Opens a window as a visitor would: by a click on a button of the page. */
export async function byGesture(open: () => Promise<unknown>): Promise<void> {
  const button = document.createElement('button');
  button.style.cssText =
    'position: fixed; inset: 0 auto auto 0; inline-size: 40px; block-size: 40px; z-index: 1000';
  (document.fullscreenElement ?? document.body).append(button);
  const opened = new Promise((resolve, reject) => {
    button.addEventListener('click', () => void open().then(resolve, reject));
  });
  await sendMouse({ type: 'click', position: [20, 20] });
  await opened;
  button.remove();
}

/** Holds the text on screen during an action that may take longer than the text. */
export async function pausedFor(element: SignTranslate, work: () => Promise<void>): Promise<void> {
  element.pause();
  await work();
  await element.play();
}

/** From now on the buffer takes no more clips, so that all further clips are shown on two videos. */
export function closeSource(): void {
  SourceBuffer.prototype.appendBuffer = () => {
    throw new DOMException('thrown by the test', 'InvalidStateError');
  };
}

export const texts = ['The first of them', 'Second', 'Third', 'Fourth'];
/** The events when all of them are signed. */
export const allEvents = texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]);
