// Makes the prepared page work offline after a first visit (offline.js), and says whether there is a prepared edition.
export {};

const list = await fetch('signs/signs.json').catch(() => null);
const { texts = [] } = list?.ok ? await list.json() : {};
document.getElementById(texts.length > 0 ? 'made' : 'missing').hidden = false;

if (navigator.serviceWorker) {
  await navigator.serviceWorker.register('offline.js');
  await navigator.serviceWorker.ready;
  // The code that was loaded before the service worker was active.
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const cache = await caches.open('prepared');
  await cache.addAll(loaded.filter((name) => name.startsWith(location.origin) && name.endsWith('.js')));
  document.documentElement.dataset.offline = 'ready';
}
