// Tells script-base where this very file came from. Policy: only the cdn build imports it, and before anything is
// defined, because defining upgrades what is already on the page and its first request needs the address. It is bundled
// into the entry file, so that `import.meta.url` is the entry's address.
import { proxyPrefixOf, setDefaultProxy } from './script-base.ts';

const proxy = proxyPrefixOf(import.meta.url);
if (proxy !== null) setDefaultProxy(proxy);
