// The plain `<script src="…/elements.classic.js">`, for a CMS that strips `type="module"`.
// - It only imports the module of the same name beside it, with the query string (a version, say), so there is one build to cache.
// - `document.currentScript` is set only while a classic script runs for the first time. It is null in a module, in a callback
//   and in a script that was bundled; then the page's developer is told.
// - The address is absolute: in a cross-origin script without `crossorigin`, Chromium 156 resolves a relative `import()`
//   against about:blank and fails.
const script = document.currentScript;
const address = script instanceof HTMLScriptElement ? script.src : '';
const module = address ? new URL(address) : null;

if (module?.pathname.endsWith('.classic.js')) {
  module.pathname = module.pathname.replace(/\.classic\.js$/, '.js');
  import(module.href).catch((error) => console.error(`sign-elements: ${module.href} did not load.`, error));
} else {
  console.error(
    'sign-elements: this file finds the elements beside itself, so it must be loaded as ' +
      '<script src="...classic.js">, neither as a module nor inside another bundle, and must keep its name.',
  );
}
