// Whether a panel that a visitor left open on another page is open from the start.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ClosedPanel } from '../../src/panel/closed-panel.ts';
import type { PanelHost } from '../../src/panel/panel-playback.ts';
import { replaceGlobals } from '../replace-globals.ts';

for (const [remember, attribute, isOpen] of [
  ['site', null, true],
  ['none', 'none', false],
  ['none', 'None', false],
  // Vue and React 19 set the property.
  ['none', null, false],
] as const) {
  test(`with remember "${remember}", whose attribute is ${attribute}, it is ${isOpen ? 'open' : 'closed'}`, (t) => {
    replaceGlobals(t, { localStorage: { getItem: () => '{"place":null,"open":true}' } });
    const host = {
      localName: 'sign-translate',
      id: '',
      launcher: true,
      remember,
      open: false,
      getAttribute: () => attribute,
      shadowRoot: { querySelectorAll: () => [] },
    };
    void new ClosedPanel(host as unknown as PanelHost, {
      lang: () => 'en',
      texts: () => undefined,
      toggleFullscreen: () => {},
    });
    assert.equal(host.open, isOpen);
  });
}
