// Measures YAML before it is parsed: 20,000 open brackets or 24,000 references hold the parser for seconds, and 500,000 commas in
// brackets for minutes.
// - Text in quotes and in comments is measured like everything else. The limits leave room for that.

interface YamlComplexity {
  /** The most open brackets, with the indicators (`-`, `?`, `&a`, `!a`) that follow each other in one item. */
  readonly levels: number;
  /** Lines, commas, and colons after names. */
  readonly items: number;
  /** `&a` and `*a`. */
  readonly references: number;
}

const INDICATORS = '-?&!';
const REFERENCES = /(?<![^\s[{,:])[&*][^\s&*]/g;

/** It never throws, because the parser refuses what is not YAML. */
export function yamlComplexity(text: string): YamlComplexity {
  let brackets = 0;
  let indicators = 0;
  let levels = 0;
  let items = 0;
  let before = ' ';
  for (const character of text) {
    if (character === '[' || character === '{') brackets += 1;
    else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
    else if (character === ',' || character === '\n') {
      items += 1;
      indicators = 0;
    } else if (INDICATORS.includes(character) && /\s/.test(before)) indicators += 1;
    else if (before === ':' && /\s/.test(character)) items += 1;
    levels = Math.max(levels, brackets + indicators);
    before = character;
  }
  return { levels, items, references: text.match(REFERENCES)?.length ?? 0 };
}
