// Defines a custom element where another copy of this product, perhaps of another version, may have defined it before.
// - The first copy wins, because a registry takes a name once and throws the second time; another version is a warning.
// - Without a registry (Node, a worker) nothing happens, so that a server can import every entry point.
import { warnOnce } from './page-settings.ts';

/** The version of package.json, which the build puts in. */
declare const SIGN_ELEMENTS_VERSION: string | undefined;

/** The version of this code. */
export const version: string =
  typeof SIGN_ELEMENTS_VERSION === 'string' ? SIGN_ELEMENTS_VERSION : 'development';

/** An element class that knows its version. */
type VersionedElement = CustomElementConstructor & { readonly version?: string };

/** Defines `element` as `tag` unless the name is taken. `registry` defaults to the page's own, if there is one. */
export function safeDefine(
  tag: string,
  element: VersionedElement,
  registry: CustomElementRegistry | undefined = globalThis.customElements,
): void {
  if (!registry) return;
  const defined = registry.get(tag) as VersionedElement | undefined;
  if (!defined) {
    registry.define(tag, element);
  } else if (defined.version !== element.version) {
    const found = defined.version ?? '?';
    warnOnce(
      `${tag} version`,
      `<${tag}>: ${found} was defined first and stays. Load it or ${element.version}, not both.`,
    );
  }
}
