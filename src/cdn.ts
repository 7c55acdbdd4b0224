// The cdn build: `<script type="module" src="…/elements.js">`. Defines every element and takes its default proxy from
// its own address; the exports serve pages that import it by URL.
import './internal/loaded-from.ts';
import './define.ts';

export * from './index.ts';
