// The code samples of the documents.
import { readFileSync, readdirSync } from 'node:fs';

export interface Sample {
  /** Path of the document. */
  readonly file: string;
  /** Line of the first line of code. */
  readonly line: number;
  /** First word behind the fence: `html`, `js`, `sh`, … */
  readonly language: string;
  readonly code: string;
  /** What a comment `<!-- given: … -->` above the fence declares, for a sample that is a part of a program. */
  readonly given: string;
}

const files = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'proxy/README.md'],
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const fence = /^(?:<!-- given: ([^]*?) -->\n\n)?^( *)```(.*)\n([^]*?)^ *```$/gm;

/** All samples, in the order of the documents. */
export const samples: readonly Sample[] = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(fence)].map(({ index, 0: whole, 1: given = '', 2: indent, 3: info, 4: code }) => {
    const before = text.slice(0, index + whole.indexOf('```'));
    return {
      file,
      line: before.split('\n').length + 1,
      language: info!.split(' ')[0]!,
      code: code!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      given,
    };
  });
});

export const ofLanguage = (...languages: string[]): Sample[] =>
  samples.filter(({ language }) => languages.includes(language));

/** How a failure names a sample. */
export const place = ({ file, line }: Sample): string => `${file}:${line}`;
