// Where the proxy is when a page does not say (SEMANTICS.md, Default of `proxy`).
// - `/sign` on the page's own origin, unless the script came from a proxy, which serves it as `{prefix}/elements.js`.
// - A copy on an npm CDN, under `dist/cdn/`, `assets/` and the like of a site's own files is no proxy: to guess one there would
//   send visitors' text to somebody else.

/** Folders of a site's own files. */
const ownFiles = /\/(dist\/cdn|assets|static|public|vendor|js|scripts?|lib)$/;

/** `elements.js` and `elements.classic.js`, with `sign-` or a hash or neither, and the directory that they are in. */
const entryPath = /^(.*)\/(sign-)?elements(-[\da-f]+)?(\.classic)?\.js$/;

/**
 * The prefix of the proxy that served this script: an absolute http(s) URL without a slash at its end, query and
 * fragment left out. Null when the address is not one at which a proxy serves its elements.
 */
export function proxyPrefixOf(scriptUrl: string): string | null {
  let url: URL;
  try {
    url = new URL(scriptUrl);
  } catch {
    return null;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const directory = entryPath.exec(url.pathname)?.[1];
  if (directory === undefined || ownFiles.test(directory)) return null;
  return url.origin + directory;
}

let prefix = '/sign';

/** The proxy prefix of elements without a `proxy` attribute. Default `/sign`. */
export const defaultProxy = (): string => prefix;

/** Sets what `defaultProxy()` gives from now on; elements that have connected keep theirs. */
export function setDefaultProxy(proxy: string): void {
  prefix = proxy;
}
