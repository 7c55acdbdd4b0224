// The command line of `sign-prepare`.
// - The first word is the command; when it is no command, the command is `prepare`. Other words without an option are sources.
// - The first mistake is reported, with the allowed values.
import { parseArgs } from 'node:util';
import { resolveSigner, type Language } from '../../src/protocol/signers.ts';
import type { Signer } from './edition.ts';

const COMMANDS = ['prepare', 'review', 'check', 'prune'] as const;
export type Command = (typeof COMMANDS)[number];

const RESOLUTIONS = ['480p', '720p', '1080p'];

export const USAGE = `sign-prepare [prepare] [options] SOURCE...   signs what is new and keeps the clips as drafts
sign-prepare review [options]                shows the clips to those who judge them, on this machine
sign-prepare check [options] SOURCE...       exit 1 when a text is not prepared or not approved
sign-prepare prune [options] SOURCE...       removes what no source uses, with --yes

A SOURCE is an address of a page, a sitemap (.xml), an HTML file, or a list of texts (.txt, one a line).

  --out FOLDER          the edition; default signs
  --for SELECTOR        what is read; default that of the page's own element, else main
  --glossary FILE       JSON object: written form to signed form
  --signer, --language, --resolution   of a new edition; default RAE, BSL, 720p
  --max-texts N         texts asked of the service in this run, at most
  --concurrency N       requests at a time, 1 to 16; default 4
  --dry-run             prepare: counts texts, characters and requests, and sends nothing
  --yes                 prune: removes; without it, it lists
  --port N              review: where the page is; default any free port
  --help, -h            prints this
`;

export class UsageError extends Error {}

export interface Options {
  readonly command: Command;
  readonly sources: readonly string[];
  readonly out: string;
  readonly target: string | null;
  readonly glossary: string | null;
  /** Null when none of the three is given: then those of the edition in the folder count. */
  readonly signer: Signer | null;
  readonly maxTexts: number;
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly port: number;
}

export const DEFAULT_SIGNER: Signer = { signer: 'RAE', language: 'BSL', resolution: '720p' };

export const asksForHelp = (args: readonly string[]): boolean =>
  args.includes('--help') || args.includes('-h');

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const [first] = positionals;
  const command = COMMANDS.find((name) => name === first);
  const sources = command ? positionals.slice(1) : positionals;
  if (sources.length === 0 && command !== 'review') throw new UsageError('no source is named');
  return {
    command: command ?? 'prepare',
    sources,
    out: values.out ?? 'signs',
    target: values.for ?? null,
    glossary: values.glossary ?? null,
    signer: signerOf(values),
    maxTexts: whole('max-texts', values['max-texts'], { unset: Infinity, least: 0, most: 1_000_000 }),
    concurrency: whole('concurrency', values.concurrency, { unset: 4, least: 1, most: 16 }),
    dryRun: values['dry-run'] ?? false,
    yes: values.yes ?? false,
    port: whole('port', values.port, { unset: 0, least: 0, most: 65_535 }),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...{ out: text, for: text, glossary: text, signer: text, language: text, resolution: text },
        ...{ 'max-texts': text, concurrency: text, port: text, 'dry-run': flag, yes: flag },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Which numbers an option takes, and its value without the option. */
interface WholeNumbers {
  readonly unset: number;
  readonly least: number;
  readonly most: number;
}

/** @throws UsageError */
function whole(name: string, given: string | undefined, { unset, least, most }: WholeNumbers): number {
  if (given === undefined) return unset;
  const value = /^\d{1,9}$/.test(given) ? Number(given) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name} ${given} is not a whole number from ${least} to ${most}`);
}

function signerOf(values: { signer?: string; language?: string; resolution?: string }): Signer | null {
  const { signer, language, resolution } = values;
  if (signer === undefined && language === undefined && resolution === undefined) return null;
  const named = language?.toUpperCase();
  if (named !== undefined && named !== 'BSL' && named !== 'ASL')
    throw new UsageError(`--language ${language} is neither BSL nor ASL`);
  const size = resolution ?? DEFAULT_SIGNER.resolution;
  if (!RESOLUTIONS.includes(size))
    throw new UsageError(`--resolution ${size} is none of ${RESOLUTIONS.join(', ')}`);
  try {
    return { ...resolveSigner(signer, named as Language | undefined), resolution: size };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
