// The tables of an element's page, made from custom-elements.json.
// - They are markdown, so that they are rendered, linked and searched like text that is written by hand.
// - Members that a `<video>` also has are listed separately, because readers know their meaning.

/** Members that HTML gives every `<video>`. */
const ofVideo = new Set(
  'play pause paused ended seeking currentTime duration readyState buffered seekable error currentSrc textTracks videoWidth videoHeight playbackRate muted volume loop requestPictureInPicture'.split(
    ' ',
  ),
);

const cell = (text = '') => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
const code = (text) => `\`${cell(text)}\``;
const sentence = (text = '') => cell(text).replace(/^[a-z]/, (letter) => letter.toUpperCase());

function table(title, columns, rows, before = '') {
  if (rows.length === 0) return '';
  const lines = [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return `## ${title}\n\n${before && `${before}\n\n`}${lines.join('\n')}\n\n`;
}

const withoutEmpty = (type = '') => type.replace(/ ?\| ?(undefined|null)\b/g, '');

/** The values that an attribute can have. */
function values(type) {
  const written = withoutEmpty(type).split(/ ?\| ?/);
  return written.map((one) => (/^'/.test(one) ? code(one.replaceAll("'", '')) : one)).join(', ');
}

function meaning({ description = '', default: initial }) {
  const tells = /default/i.test(description) || initial === undefined || /null|false/.test(initial);
  return `${sentence(description)}${tells ? '' : `${description && '; '}default ${code(initial.replaceAll("'", ''))}`}`;
}

function signature({ name, parameters = [], return: result }) {
  const list = parameters.map(
    (one) =>
      `${one.name}${one.optional || one.default !== undefined ? '?' : ''}: ${one.type?.text ?? 'unknown'}`,
  );
  return `${name}(${list.join(', ')}): ${result?.type?.text ?? 'void'}`;
}

const propertyRow = ({ name, type, description, readonly: fixed, static: ofClass }) => [
  code(name),
  type?.text ? code(withoutEmpty(type.text)) : '',
  `${sentence(description)}${ofClass ? ' Of the class.' : fixed ? ' Read-only.' : ''}`.trim(),
];

/** The tables of one element of the manifest. */
export function reference({ attributes, members, events, slots, cssParts, cssProperties, cssStates }) {
  const own = members.filter(({ name }) => !ofVideo.has(name));
  const shared = members.filter(({ name }) => ofVideo.has(name));
  const methods = own.filter(({ kind }) => kind === 'method');
  const properties = own.filter(({ kind, attribute }) => kind === 'field' && attribute === undefined);
  const named = (list = []) => list.map(({ name, description }) => [code(name), sentence(description)]);
  return [
    table(
      'Attributes',
      ['attribute', 'values', 'meaning'],
      attributes.map((one) => [code(one.name), values(one.type?.text), meaning(one)]),
      'Each is also a property in camel case: `target-latency` is `targetLatency`. `lang` is that of HTML.',
    ),
    table('Properties', ['property', 'type', 'meaning'], properties.map(propertyRow)),
    table(
      'Methods',
      ['method', 'meaning'],
      methods.map((one) => [code(signature(one)), sentence(one.description)]),
    ),
    table(
      'Playback',
      ['member', 'type', 'meaning'],
      shared.map((one) =>
        one.kind === 'method'
          ? [code(`${one.name}()`), code(one.return?.type?.text), sentence(one.description)]
          : propertyRow(one),
      ),
      'These mean what they mean for a `<video>`. The native media events (`play`, `pause`, `timeupdate`, `ended` and the rest) are fired too; they do not bubble.',
    ),
    table(
      'Events',
      ['event', 'detail and meaning'],
      named(events),
      'Each is a `CustomEvent` that bubbles and crosses shadow roots.',
    ),
    table('Slots', ['slot', 'meaning'], named(slots)),
    table('Parts', ['part', 'meaning'], named(cssParts), 'For `::part()` in a style sheet of the page.'),
    table(
      'Custom properties',
      ['property', 'default', 'meaning'],
      cssProperties.map((one) => [code(one.name), code(one.default), sentence(one.description)]),
    ),
    table('States', ['state', 'meaning'], named(cssStates), 'For `:state()` in a style sheet of the page.'),
  ].join('');
}
