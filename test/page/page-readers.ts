// Page readers of browser tests: each reads an element, and follows it until its test is over.
import { PageReader } from '../../src/page/page-reader.ts';

type Options = Partial<ConstructorParameters<typeof PageReader>[0]>;

const open: PageReader[] = [];
afterEach(() => open.splice(0).forEach((reader) => reader.close()));

/** A reader of an element or with these options, which has not begun to read. */
export function readerOf(target: Element, options: Options = {}): PageReader {
  const reader = new PageReader({
    host: document.body,
    target,
    glossary: null,
    changed: () => {},
    ...options,
  });
  open.push(reader);
  return reader;
}

/** A reader that has read the element. */
export async function read(target: Element, options?: Options): Promise<PageReader> {
  const reader = readerOf(target, options);
  await reader.read();
  return reader;
}

export const textsOf = ({ sentences }: PageReader): string[] => sentences.map(({ text }) => text);
