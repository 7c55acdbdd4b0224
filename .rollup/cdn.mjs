// dist/cdn: what a page loads by script tag, minified and compressed.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import replace from '@rollup/plugin-replace';
import terser from '@rollup/plugin-terser';
import { transformSync } from 'esbuild';
import MagicString from 'magic-string';
import gzip from 'rollup-plugin-gzip';
import license from 'rollup-plugin-license';
import { chunkOf } from './chunks.mjs';
import { allow, compile, onLog, resolver, root } from './common.mjs';
import { minifiedPlayers } from './players.mjs';
import { shortenPrivateNames } from './private-names.mjs';

const terserOptions = {
  ecma: 2022,
  module: true,
  // Nobody reads a property for what that sets off, neither here nor in lit and zod. With the constant of a comparison where it
  // was written, more is alike: 80 bytes of the first sign.
  compress: { keep_fargs: false, lhs_constants: false, pure_getters: true },
  format: { comments: /^!.*licences.txt/ },
};
/**
 * Two runs on what the first one has made save another 70 bytes of the first sign. More passes of the first run save nothing that
 * this one does not, and take five seconds of a core.
 */
const { renderChunk: terseAgain } = terser({
  ...terserOptions,
  compress: { ...terserOptions.compress, passes: 3, unsafe_arrows: true },
});
const minifyAgain = { name: 'minify-again', renderChunk: terseAgain };
/** Constants of the DOM as the numbers that their standards give: a minifier does not know them. */
const domConstants = replace({
  include: 'src/**',
  preventAssignment: true,
  values: {
    'HTMLMediaElement.HAVE_METADATA': '1',
    'HTMLMediaElement.HAVE_CURRENT_DATA': '2',
    'HTMLMediaElement.HAVE_FUTURE_DATA': '3',
    'MediaError.MEDIA_ERR_NETWORK': '2',
    'MediaError.MEDIA_ERR_DECODE': '3',
    'Node.ELEMENT_NODE': '1',
    'Node.TEXT_NODE': '3',
    'Node.DOCUMENT_NODE': '9',
    'Node.DOCUMENT_POSITION_FOLLOWING': '4',
    'NodeFilter.SHOW_ELEMENT': '1',
    'Range.START_TO_START': '0',
    'Range.START_TO_END': '1',
  },
});
/** The oldest browsers that show clips: a style sheet gets nothing that they do not know. */
const cssTarget = ['chrome105', 'safari16.4', 'firefox121'];
const minifyCss = (css) => transformSync(css, { loader: 'css', minify: true, target: cssTarget }).code.trim();
/** Style sheets and templates without the comments and the white space that only their readers need. */
const templates = {
  name: 'templates',
  transform(code, id) {
    if (!/\/src\/(elements|panel)\//.test(id)) return null;
    const text = new MagicString(code)
      .replace(/(?<=(?:CSS\(|Styles = )`)[^`$]*(?=`)/g, minifyCss)
      // Between the attributes of a tag, and before its end.
      .replace(/(?<=["}]|<\w+)\s*\n\s*(?=[@?.]?[\w-]+=["$])/g, ' ')
      .replace(/(?<=["}]|<\/\w+)\s*\n\s*(?=>)|(?<=") (?=\/>)/g, '')
      .replace(/(?<=[>}`])\s*\n\s*(?=<|\$\{)|(?<=>)\s*\n\s*(?=`)/g, '');
    return { code: text.toString(), map: text.generateMap({ hires: true }) };
  },
};

/**
 * At each further try a chunk is asked for under another address (src/internal/load-code.ts). What has loaded first is kept for
 * the page: a second copy of a chunk would have a state of its own. An empty answer, which is a valid script, has loaded nothing.
 */
const again = `
const loaded = {};
loadCode.file = async (name) =>
  loaded[name] ??
  import('./' + name + loadCode.next).then((code) => {
    for (const _export in code) return (loaded[name] ??= code);
    throw Error('empty');
  });
`;
const againElsewhere = {
  name: 'again-elsewhere',
  transform(code, id) {
    if (id !== resolve('src/internal/load-code.ts')) return null;
    const text = new MagicString(code).append(again);
    const changes = { "HERE = ''": 'HERE = import.meta.url', 'ANSWER_MS = 31_000': 'ANSWER_MS = 8_000' };
    for (const [from, to] of Object.entries(changes)) {
      if (!code.includes(from)) this.error(`${id} has no ${from}`);
      text.replace(from, to);
    }
    return { code: text.toString(), map: text.generateMap({ hires: true }) };
  },
  renderChunk(code) {
    if (!code.includes('loadCode')) return null;
    const text = new MagicString(code).replace(
      /\bimport\('\.\/(?:chunks\/)?([^']+)'\)/g,
      "loadCode.file('$1')",
    );
    return { code: text.toString(), map: text.generateMap({ hires: true }) };
  },
  generateBundle(_options, bundle) {
    for (const { fileName, isDynamicEntry, exports } of Object.values(bundle)) {
      if (isDynamicEntry && exports.length === 0) this.error(`${fileName} exports nothing`);
    }
  },
};

/** DASH as a lazy chunk of streams, with no byte of it in the entry. */
const withDash = {
  name: 'with-dash',
  transform(code, id) {
    if (id !== resolve('src/playback/live/stream-renderer.ts')) return null;
    const text = new MagicString(code).prepend("import '../../dash.ts';\n");
    return { code: text.toString(), map: text.generateMap({ hires: true }) };
  },
};

/**
 * A Trusted Types policy of a name of its own, because a page that lists names refuses a second policy of the same name: that of
 * another Lit. Where a page lists only the name of Lit's policy, it is used.
 */
const ownPolicy = {
  name: 'own-policy',
  transform(code, id) {
    if (id !== resolve('node_modules/lit-html/lit-html.js')) return null;
    const call = 's.createPolicy("lit-html",{createHTML:t=>t})';
    if (!code.includes(call)) this.error(`${id} has no ${call}`);
    const first = `try{return s.createPolicy("${root.name}",p)}catch{return s.createPolicy("lit-html",p)}`;
    const text = new MagicString(code).replace(call, `(p=>{${first}})({createHTML:t=>t})`);
    return { code: text.toString(), map: text.generateMap({ hires: true }) };
  },
};

/** The rule that keeps the place of an element until it is defined. */
const styles = {
  name: 'styles',
  generateBundle() {
    const source = readFileSync('src/sign-elements.css');
    this.emitFile({ type: 'asset', fileName: 'sign-elements.css', source });
  },
};

/** The whole licence texts of what the bundles contain. */
const licences = {
  allow,
  output: {
    file: 'dist/cdn/licences.txt',
    template: (packages) =>
      packages
        .map(
          ({ name, version, license, licenseText }) => `${name} ${version} (${license})\n\n${licenseText}\n`,
        )
        .sort()
        .join(`\n${'-'.repeat(80)}\n`),
  },
};

/** Settings of which every decoder reads the result (RFC 7932): which is best differs from file to file by up to 1 %. */
const settings = [
  { window: 16, block: 0, postfix: 1, direct: 0 },
  { window: 18, block: 16, postfix: 1, direct: 1 },
  { window: 16, block: 0, postfix: 1, direct: 8 },
  { window: 16, block: 0, postfix: 0, direct: 12 },
  { window: 16, block: 0, postfix: 2, direct: 4 },
  { window: 16, block: 0, postfix: 3, direct: 12 },
  { window: 17, block: 0, postfix: 0, direct: 0 },
  // The best of large files.
  { window: 22, block: 0, postfix: 2, direct: 12 },
];

async function smallest(content) {
  // A player takes seconds a try, and no page waits for one with its first sign.
  const tried = content.length > 200_000 ? settings.slice(-1) : settings;
  const tries = tried.map(({ window, block, postfix, direct }) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: window,
        [constants.BROTLI_PARAM_LGBLOCK]: block,
        [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
        [constants.BROTLI_PARAM_NDIRECT]: direct << postfix,
      },
    }),
  );
  return (await Promise.all(tries)).reduce((best, one) => (one.length < best.length ? one : best));
}

/** Best compression, done once here, so that a server need not do it at each request. */
const compress = () => [
  gzip({ filter: /\.js$/, gzipOptions: { level: 9 } }),
  gzip({
    filter: /\.js$/,
    fileName: '.br',
    customCompression: smallest,
  }),
];

const sha384 = (file) => `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}`;

/**
 * The `integrity` of each script and style sheet for a page (Subresource Integrity, 3.5); written last, printed for the entries.
 */
const integrity = {
  name: 'integrity',
  writeBundle: {
    order: 'post',
    sequential: true,
    handler({ dir }) {
      const files = readdirSync(dir, { recursive: true }).filter((file) => /\.(js|css)$/.test(file));
      const hashes = Object.fromEntries(files.sort().map((file) => [file, sha384(join(dir, file))]));
      writeFileSync(join(dir, 'integrity.json'), `${JSON.stringify(hashes, null, 2)}\n`);
      for (const [file, hash] of Object.entries(hashes))
        if (!file.startsWith('chunks')) console.log(`${file} integrity="${hash}"`);
    },
  },
};

export const classic = {
  input: 'src/cdn.classic.ts',
  plugins: [
    compile(),
    // A browser reads a plain script, unlike a module, in the encoding of the page, unless the server names one: the words of the
    // button may be read as Latin-1.
    terser({ ...terserOptions, format: { ...terserOptions.format, ascii_only: true } }),
    compress(),
  ],
  output: { file: 'dist/cdn/sign-elements.classic.js', format: 'iife', sourcemap: true },
  onLog,
};

/**
 * What lit's browser build reads while it is evaluated and its elements are defined. With these in the module's own
 * scope the file can be imported where there is no page (a server that renders), and no global is made.
 */
const noPage = [
  'const HTMLElement=globalThis.HTMLElement??class{}',
  'CSSStyleSheet=globalThis.CSSStyleSheet??class{}',
  'document=globalThis.document??{createTreeWalker:()=>({})};',
].join();

export const cdn = {
  input: { 'sign-elements': 'src/cdn.ts' },
  plugins: [
    compile(),
    withDash,
    domConstants,
    shortenPrivateNames,
    templates,
    againElsewhere,
    ownPolicy,
    minifiedPlayers,
    terser(terserOptions),
    minifyAgain,
    minifyAgain,
    resolver(),
    license({ thirdParty: licences }),
    styles,
    compress(),
    integrity,
  ],
  output: {
    dir: 'dist/cdn',
    format: 'es',
    // In the entry alone: each byte of the other files is loaded because of it.
    banner: ({ isEntry }) => (isEntry ? `/*! ${root.name} ${root.version}; licences.txt */` : ''),
    // Each of the 25 names up to the first sign costs a byte for two more letters; of one chunk, 16 million can be told apart.
    chunkFileNames: 'chunks/[name]-[hash:6].js',
    hashCharacters: 'hex',
    manualChunks: chunkOf,
    intro: (chunk) => (chunk.moduleIds.some((id) => id.includes('/node_modules/@lit/')) ? noPage : ''),
    sourcemap: true,
  },
  onLog,
};
