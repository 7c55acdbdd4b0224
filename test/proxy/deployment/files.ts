// The files that operators deploy with, as a test reads them.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

const folder = resolve(import.meta.dirname, '../../../proxy');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

export const texts = {
  dockerfile: read('Dockerfile'),
  dockerignore: read('Dockerfile.dockerignore'),
  compose: read('compose.yaml'),
  nginx: read('nginx.conf'),
  unit: read('sign-proxy.service'),
  kubernetes: read('kubernetes.yaml'),
};

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** Instructions of the Dockerfile by stage, the last stage last; comments and line breaks are gone. */
export function stages(): readonly (readonly Instruction[])[] {
  const lines = texts.dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n');
  const found: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') found.push([]);
    if (name !== '') found.at(-1)?.push({ name, rest });
  }
  return found;
}

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly secrets?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly networks: Readonly<
    Record<
      string,
      {
        readonly internal?: boolean;
        readonly ipam?: { readonly config: readonly { readonly gateway: string }[] };
      } | null
    >
  >;
}

/** The compose file with its anchors followed. Throws when it is no YAML. */
export const compose = parse(texts.compose) as Compose;
