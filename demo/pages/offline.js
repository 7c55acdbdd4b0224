// The service worker of the prepared page. It makes files that were loaded once available offline.
// - Clips never change, so they come from the cache. Everything else comes from the network when there is a network.
// - Requests to the service are not intercepted.

const NAME = 'prepared';
const scope = new URL('./', location.href).pathname;

/** Stores what the page had loaded before this worker was active, and all clips, also those that were not shown. */
async function keepAll() {
  const cache = await caches.open(NAME);
  const list = await fetch('signs/signs.json');
  const { texts = [] } = list.ok ? await list.json() : {};
  const files = texts.map(({ file }) => `signs/${file}`);
  const page = [
    'prepared.html',
    'prepared.js',
    'page.css',
    '/sign/elements.js',
    ...(list.ok ? ['signs/signs.json'] : []),
  ];
  await cache.addAll([...page, ...files]);
}

async function answer(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request);
  if (kept && request.url.endsWith('.mp4')) return kept;
  try {
    const response = await fetch(request);
    if (response.status === 200) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

addEventListener('install', (event) => event.waitUntil(keepAll()));
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const isFile = pathname.startsWith('/sign/') ? pathname.endsWith('.js') : pathname.startsWith(scope);
  if (method === 'GET' && origin === location.origin && isFile) event.respondWith(answer(event.request));
});
