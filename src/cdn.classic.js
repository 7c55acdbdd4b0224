// The plain `<script src="…/elements.classic.js">`, for a CMS that strips `type="module"`. Policy: it only imports the
// module of the same name beside it, so there is one build to cache, and the query string (a version, say) goes with it.
// `document.currentScript` is set only while a classic script runs for the first time: it is null in a module, in a
// callback and in a script that a bundler swallowed, hence it is read at once and its absence is told. The address must
// be absolute: in a cross-origin script without `crossorigin`, Chromium resolves a relative `import()` against
// about:blank and fails. JavaScript, because tsc wraps an `import()` of a computed address in a helper of its own.
const address = document.currentScript?.src;
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
