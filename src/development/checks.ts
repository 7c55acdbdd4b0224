// What `sign-elements/define` adds under the package condition `development`: it reports mistakes in a tag on the console.
// - Bundlers set the condition in their development mode (Vite, webpack, Parcel); a production build has no byte of this.
// - An element is checked when it is connected and has its attributes. Each mistake is reported once.
// - A page without an origin is reported when this is loaded.
import { warnOnce } from '../internal/page-settings.ts';
import { SignElement } from '../elements/sign-element.ts';

/** Attributes of any element, and of frameworks. */
const foreign =
  /^(id|class|style|slot|part|lang|dir|title|role|tabindex|hidden|is|key|ref|data-.*|aria-.*|on.*|.*[^a-z-].*)$/;

/** The number of insertions, deletions and changes between two words. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, against] of [...other].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + Number(letter !== against)));
    row = next;
  }
  return row[other.length]!;
}

const plain = (name: string): string => name.replaceAll('-', '');

function check(element: Element): void {
  const tag = element.localName;
  const { observedAttributes: known } = element.constructor as unknown as { observedAttributes: string[] };
  for (const { name, value } of element.attributes) {
    if (known.includes(name) || foreign.test(name)) continue;
    const property = Object.getOwnPropertyNames(Object.getPrototypeOf(element)).find(
      (own) => own.toLowerCase() === plain(name),
    );
    const alike = known.find((one) => plain(one) === plain(name) || distance(one, name) <= 2);
    if (alike) warnOnce(`${tag} ${alike} misspelt`, `<${tag} ${name}> does nothing. Did you mean ${alike}?`);
    else if (property)
      warnOnce(
        `${tag} ${property} property`,
        `<${tag} ${name}="${value}"> does nothing: ${property} is a property and no attribute. Set element.${property}; in Vue :${property}.prop. The HTML of a Svelte server has this attribute too: there nothing is wrong.`,
      );
  }
}

if (globalThis.origin === 'null') {
  warnOnce(
    'origin',
    'this page has no origin, as a file and a frame with sandbox="allow-scripts" alone. A proxy refuses it (origin_refused): serve ' +
      'the page over http, or add allow-same-origin.',
  );
}

SignElement.addInitializer((element) =>
  element.addController({ hostConnected: () => void Promise.resolve().then(() => check(element)) }),
);
