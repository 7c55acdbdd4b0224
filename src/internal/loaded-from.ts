// Tells script-base.ts where this file came from, so that `proxy` has a default.
// - Only the cdn build imports it, before anything is defined: defining upgrades elements that are on the page already, and
//   their first request needs the address.
// - It is bundled into the entry file, so `import.meta.url` is the entry's address.
import { proxyPrefixOf, setDefaultProxy } from './script-base.ts';

const proxy = proxyPrefixOf(import.meta.url);
if (proxy !== null) setDefaultProxy(proxy);
