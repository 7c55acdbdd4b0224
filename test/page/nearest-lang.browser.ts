// Which language is in force at the place of an element.
import { expect } from '@open-wc/testing';
import { nearestLang } from '../../src/page/nearest-lang.ts';

const inPage = (): HTMLElement => document.body.appendChild(document.createElement('div'));

it('the language is the lang of the element itself, before the lang of its ancestors', () => {
  const outer = inPage();
  outer.lang = 'fr';
  const element = outer.appendChild(document.createElement('p'));
  expect(nearestLang(element)).to.equal('fr');
  element.lang = 'es';
  expect(nearestLang(element)).to.equal('es');
  outer.remove();
});

it('the language of an element in a shadow root is the language of the host', () => {
  const host = inPage();
  host.lang = 'es-MX';
  const element = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('p'));
  expect(nearestLang(element)).to.equal('es-MX');
  host.remove();
});

it('the language of an element without lang that is on no page is empty', () => {
  expect(nearestLang(document.createElement('p'))).to.equal('');
});
