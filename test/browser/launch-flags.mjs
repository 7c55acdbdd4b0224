// How every Chromium of the tests is started.
// - No network of its own, no sound, no sandbox (containers run as root and have no user namespaces).
// - A video may play without a click unless a test says otherwise, and the garbage collector can be called, because
//   some tests check what stays in memory.
// - No process is started in advance for a page that may never be opened, because that costs a tenth of each page.
export const launchFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-features=SpareRendererForSitePerProcess',
  '--autoplay-policy=no-user-gesture-required',
  '--mute-audio',
  '--js-flags=--expose-gc',
];

/**
 * Flags of whole-page tests. A page that is not in front is not slowed down, because several are open and at most one is in front.
 * An answer that a test gives has no address, and without a flag Chromium would treat it as an answer from another machine.
 */
export const pageFlags = [
  '--disable-features=LocalNetworkAccessChecks',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];
