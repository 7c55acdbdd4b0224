// The projects that `npm run test:frameworks` builds: those of demo/examples, and the one without a framework as other bundlers
// build it.
// - An example is built by its own `npm run build` and served by Vite, unless it says otherwise.
export interface Example {
  readonly name: string;
  readonly folder: string;
  /** Versions that replace those of its package.json. */
  readonly versions?: Readonly<Record<string, string>>;
  /** The server program, its arguments for the built project, and those for the sources. The default is Vite. */
  readonly program?: string;
  readonly built?: readonly string[];
  readonly dev?: readonly string[];
  readonly host?: string;
  /** Another bundler than the example's own: its packages, and the shell line that fills dist/. */
  readonly bundler?: {
    readonly packages: Readonly<Record<string, string>>;
    readonly build: string;
    /** The bundler's settings, by their name in package.json. */
    readonly settings?: Readonly<Record<string, object>>;
  };
  /** The file that is changed while the dev server runs; without it, only the built page is driven. */
  readonly source?: string;
  /** True when a change makes new elements: Svelte and Angular mount their component again, Vite loads the page again. */
  readonly remakes?: boolean;
}

const react18 = {
  react: '18.3.1',
  'react-dom': '18.3.1',
  '@types/react': '18.3.8',
  '@types/react-dom': '18.3.7',
};
/** For a bundler that makes only the script: copies the page beside it. */
const PAGE = "sed 's#/src/main.js#/main.js#' index.html > dist/index.html";
const webpack = {
  packages: { webpack: '5.112.2', 'webpack-cli': '7.3.1' },
  build: `webpack --mode production --entry ./src/main.js --output-path dist && ${PAGE}`,
};
/** The policy of docs/security-policy.md for a page that webpack bundles. */
const POLICY = "require-trusted-types-for 'script'; trusted-types lit-html webpack";
const META = `<meta http-equiv=Content-Security-Policy content=\\"${POLICY}\\">`;
/** The settings of docs/dev-servers.md for a page of Vite that takes the script from the proxy. */
const SCRIPT = '<script type=\\"module\\" vite-ignore src=\\"/sign/elements.js\\"></script>';
const bundlers: readonly Example[] = [
  {
    name: 'vite-script-tag',
    folder: 'vite',
    bundler: {
      packages: {},
      build: `sed -i '/^import/d' src/main.js && sed -i "s#<head>#&${SCRIPT}#" index.html && vite build`,
    },
    source: 'index.html',
    remakes: true,
  },
  { name: 'webpack', folder: 'vite', bundler: webpack },
  {
    name: 'webpack-trusted-types',
    folder: 'vite',
    bundler: {
      ...webpack,
      build: `${webpack.build.replace('--mode', '--output-trusted-types-policy-name webpack --mode')} && sed -i "s#<head>#&${META}#" dist/index.html`,
    },
  },
  {
    name: 'esbuild',
    folder: 'vite',
    bundler: {
      packages: { esbuild: '0.28.2' },
      build: `esbuild src/main.js --bundle --splitting --minify --format=esm --outdir=dist && ${PAGE}`,
    },
  },
  {
    name: 'parcel',
    folder: 'vite',
    bundler: {
      packages: { parcel: '2.16.4' },
      build: 'parcel build index.html --dist-dir dist',
      settings: { '@parcel/resolver-default': { packageExports: true } },
    },
  },
];
export const examples: readonly Example[] = [
  { name: 'react-19', folder: 'react', source: 'src/App.tsx' },
  { name: 'react-18', folder: 'react', source: 'src/App.tsx', versions: react18 },
  { name: 'vue', folder: 'vue', source: 'src/App.vue' },
  { name: 'svelte', folder: 'svelte', source: 'src/App.svelte', remakes: true },
  { name: 'preact', folder: 'preact', source: 'src/App.tsx' },
  { name: 'solid', folder: 'solid', source: 'src/App.tsx', remakes: true },
  { name: 'vite', folder: 'vite', source: 'index.html', remakes: true },
  {
    name: 'next',
    folder: 'next',
    source: 'app/news.tsx',
    program: 'next/dist/bin/next',
    built: ['start'],
    dev: ['dev'],
    host: '--hostname',
  },
  {
    name: 'angular',
    folder: 'angular',
    source: 'src/app.ts',
    program: '@angular/cli/bin/ng.js',
    built: ['serve', '--configuration', 'production'],
    dev: ['serve'],
    remakes: true,
  },
  ...bundlers,
];
