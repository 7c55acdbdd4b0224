// The plain `<script src="…/elements.classic.js">`, for a CMS that strips `type="module"`.
// - It imports the module of the same name beside it, with the query string (a version, say), so there is one build to cache. A
//   module that does not load is asked for again every 8 s. Each try has another fragment, because browsers may keep a failed
//   import() of an address until the page is loaded again.
// - On a page whose only elements are closed panels with a `launcher`, it shows their buttons. It imports the module when a button
//   is pressed, when a panel was left open, or when the page opens one, adds another element, or asks for one by `data-`.
// - `document.currentScript` is set only while a classic script runs for the first time. In a module and in a callback it is null,
//   in a bundle it is the bundle. There `data-elements="https://…/sign/elements.js"` of any script tag says where the elements
//   are; without it the console says what to do.
// - The address is absolute: in a cross-origin script without `crossorigin`, Chromium 156 resolves a relative `import()`
//   against about:blank and fails.
import { nearestLang } from './page/nearest-lang.ts';
import { showLauncher, wasLeftOpen, type Launcher } from './panel/launcher.ts';

const script = document.currentScript as HTMLScriptElement | null;
const named = (
  script?.dataset?.elements ? script : document.querySelector<HTMLElement>('script[data-elements]')
)?.dataset.elements;
const address = named ?? script?.src;
const module = address ? new URL(address, document.baseURI) : null;
const tags =
  'sign-translate,sign-live-player,sign-silence-loop,sign-announcement,[data-sign-translate],script[data-for]';
const launchers = new Map<Element, Launcher>();
/** A launcher was shown, so the page needs no more while it has no element. */
let hasShown = false;

const isLauncher = (element: Element): boolean =>
  element.matches('[launcher][placement]:not([open],[placement~=inline i])') && !wasLeftOpen(element);

function load(href: string): void {
  watching.disconnect();
  for (const { button } of launchers.values()) button.setAttribute('aria-busy', 'true');
  import(href).then(
    () => launchers.clear(),
    (error) => {
      console.error(`sign-elements: ${href} did not load.`, error);
      setTimeout(load, 8_000, `${href}#`);
    },
  );
}

/** Shows the launchers, or loads everything where the page needs more. */
function update(href: string): void {
  const elements = [...document.querySelectorAll(tags)];
  // A router takes the element away with all of its page, which would be kept with it.
  for (const [element, launcher] of launchers) {
    if (element.isConnected) continue;
    launcher.remove();
    launchers.delete(element);
  }
  if (elements.length === 0 && hasShown) return;
  if (elements.length === 0 || !elements.every(isLauncher)) return load(href);
  for (const element of elements) {
    if (launchers.has(element)) continue;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const press = (): void => {
      // The element itself shows the button again when it is closed.
      element.toggleAttribute('open', true);
      void customElements.whenDefined(element.localName).then(() => (element as HTMLElement).focus());
    };
    launchers.set(element, showLauncher(root, nearestLang(element), press));
    hasShown = true;
    // Lit renders before the first node of the root, which has to stay.
    root.prepend(document.createComment(''));
  }
}

const watching = new MutationObserver(() => update(module!.href));

function start(href: string): void {
  watching.observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: ['open', 'launcher', 'placement'],
  });
  update(href);
}

if (module && (named || module.pathname.endsWith('.classic.js'))) {
  module.pathname = module.pathname.replace(/\.classic\.js$/, '.js');
  const { href } = module;
  if (document.readyState === 'loading')
    addEventListener('DOMContentLoaded', () => start(href), { once: true });
  else start(href);
} else {
  console.error(
    'sign-elements: load this file as <script src="...classic.js">, neither as a module nor in a bundle. ' +
      'Else add <script data-elements="https://.../sign/elements.js">.',
  );
}
