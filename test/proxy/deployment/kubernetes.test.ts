// The Kubernetes manifests against the published schemas of its API: kubernetes-types is made of its OpenAPI document. The
// compiler finds fields that do not exist, values of another type and required fields that are missing.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { texts } from './files.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Beside this file, so that the compiler finds the package; it is in no folder. */
const CHECKED = fileURLToPath(new URL('checked-manifests.ts', import.meta.url));

/** The files of the package, which all manifests need. */
const parsed = new Map<string, ts.SourceFile>();

/** What the compiler says about `manifest`. */
function problemsOf(manifest: Manifest): readonly string[] {
  const { apiVersion, kind } = manifest;
  const api = apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`;
  const source =
    `import type { ${kind} } from 'kubernetes-types/${api}';\n` +
    `export const manifest: ${kind} = ${JSON.stringify(manifest)};`;
  const options = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es5.d.ts'],
    skipLibCheck: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === CHECKED || fileExists(path);
  host.getSourceFile = (path, version) => {
    if (path === CHECKED) return ts.createSourceFile(path, source, version);
    const file = parsed.get(path) ?? getSourceFile(path, version);
    if (file !== undefined) parsed.set(path, file);
    return file;
  };
  const program = ts.createProgram([CHECKED], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

for (const document of parseAllDocuments(texts.kubernetes)) {
  const manifest = document.toJS() as Manifest;
  test(`the ${manifest.kind} is valid for the API of Kubernetes`, () => {
    assert.deepEqual(problemsOf(manifest), []);
  });
}

test('the check finds a field that Kubernetes does not know, a value of another type and a missing field', () => {
  const service = { apiVersion: 'v1', kind: 'Service' };
  assert.match(
    problemsOf({ ...service, spec: { ports: [{ port: 80, portt: 1 }] } } as Manifest).join(),
    /portt/,
  );
  assert.match(problemsOf({ ...service, spec: { ports: [{ port: '80' }] } } as Manifest).join(), /string/);
  assert.match(
    problemsOf({ ...service, spec: { ports: [{ name: 'a' }] } } as Manifest).join(),
    /'port' is missing/,
  );
});
