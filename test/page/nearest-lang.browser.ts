// Which language is in force where an element stands.
import { expect } from '@open-wc/testing';
import { nearestLang } from '../../src/page/nearest-lang.ts';

const inPage = (): HTMLElement => document.body.appendChild(document.createElement('div'));

it('is what the element says itself, before what is said around it', () => {
  const outer = inPage();
  outer.lang = 'fr';
  const element = outer.appendChild(document.createElement('p'));
  expect(nearestLang(element)).to.equal('fr');
  element.lang = 'es';
  expect(nearestLang(element)).to.equal('es');
  outer.remove();
});

it('is that of the host for what stands in its shadow root', () => {
  const host = inPage();
  host.lang = 'es-MX';
  const element = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('p'));
  expect(nearestLang(element)).to.equal('es-MX');
  host.remove();
});

it('is empty in what is on no page and says none', () => {
  expect(nearestLang(document.createElement('p'))).to.equal('');
});
