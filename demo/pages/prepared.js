// Lets the prepared page work offline once it was visited: offline.js keeps what it loads.
export {};

await navigator.serviceWorker?.register('offline.js');
