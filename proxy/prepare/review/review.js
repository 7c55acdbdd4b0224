// The page on which people judge the clips of an edition, by keyboard first.
// - It shows one text. A judgement is sent with the date of the shown state; the answer 409 has the judgement of another reviewer.
//   Changes that others make to other texts are shown within 3 s.
// - One thing is done at a time: a key that is held or pressed twice judges one text.

import { setVideo, watching } from './review-videos.js';
import { contextOf, formerOf, inOrder, markNew, megabytes, readOrder } from './review-texts.js';

const $ = (id) => document.getElementById(id);

const AGAIN_MS = 3_000;
/** In this time a page may report its texts, so that its first one is shown first. */
const FIRST_ORDER_MS = 1_500;
const MOST_BYTES = 256_000_000;
/** More than a visitor should have to load for one sentence. */
const LARGE_BYTES = 8_000_000;

/** All texts, in the order of their pages. */
let texts = [];
/** Hash of the text that is shown. */
let shown = null;
let canSign = false;
/** Null until the reviewer has chosen: what a page had before is then compared. */
let isComparing = null;
let isBusy = false;
/** Undoes the last change. */
let takeBack = null;
let tag = '';

const filters = {
  draft: ({ state, stale }) => state === 'draft' && !stale,
  all: () => true,
  approved: ({ state }) => state === 'approved' || state === 'replaced',
  rejected: ({ state }) => state === 'rejected',
  stale: ({ stale }) => stale === true,
};

const listed = () => texts.filter((text) => text.hash === shown || filters[$('filter').value](text));
const current = () => texts.find(({ hash }) => hash === shown);

function say(message) {
  $('message').textContent = message;
}

const stateWords = {
  draft: 'To be judged',
  approved: 'Approved',
  rejected: 'Rejected',
  replaced: 'A video by a person',
};

function showCount() {
  const toJudge = texts.filter(filters.draft).length;
  $('count').textContent = `${toJudge} of ${texts.length} to be judged`;
  $('done').max = Math.max(1, texts.length);
  $('done').value = texts.length - toJudge;
  document.title = toJudge > 0 ? `(${toJudge}) Review of signed texts` : 'Review of signed texts';
}

function show() {
  const list = listed();
  if (!current()) shown = list[0]?.hash ?? null;
  const text = current();
  showCount();
  for (const control of document.querySelectorAll('main :is(button, input)')) control.disabled = !text;
  $('undo').disabled = !takeBack;
  setVideo($('clip'), text?.file);
  if (!text) {
    for (const id of ['state', 'ahead', 'behind', 'pages', 'playing', 'was']) $(id).textContent = '';
    for (const id of ['wording', 'before', 'now-label']) $(id).hidden = true;
    delete $('state').dataset.state;
    $('text').textContent =
      $('filter').value === 'draft' ? 'All is judged. Thank you.' : 'There is none of these.';
    return;
  }
  const former = text.stale ? undefined : formerOf(text, texts);
  const before = text.before ?? former?.file;
  const compares = Boolean(before) && (isComparing ?? (Boolean(former) && !text.before));
  const { ahead, behind } = contextOf(text, texts);
  $('state').dataset.state = text.state;
  $('state').textContent =
    `${stateWords[text.state]}${text.note ? `: ${text.note}` : ''}${text.stale ? ' (no page has it any more)' : ''}`;
  $('ahead').textContent = ahead?.text ?? '';
  $('behind').textContent = behind?.text ?? '';
  markNew($('text'), text.text, former?.text);
  $('wording').hidden = !text.wording;
  $('wording').textContent = `Signed as: ${text.wording}`;
  $('was').textContent = former && !text.before ? `The page had before: ${former.text}` : '';
  $('pages').textContent = text.pages.join(', ');
  $('compare').disabled = !before;
  $('compare').ariaPressed = String(compares);
  $('now-label').hidden = $('before').hidden = !compares;
  setVideo($('before'), before);
  if (compares)
    $('before')
      .play()
      .catch(() => {});
  else $('before').pause();
  $('words').disabled = !canSign;
  $('words').placeholder = canSign ? '' : 'SIGN_API_URL is not set';
  $('restore').disabled = !text.before;
  $('playing').textContent = `${text.seconds} s, ${megabytes(text.bytes)}`;
  readOrder(text.pages[0]).then(
    (isRead) => isRead && arrange(),
    () => {},
  );
}

/** The order of a page is known now. */
function arrange() {
  texts = inOrder(texts);
  show();
}

function showOther(hash) {
  shown = hash;
  isComparing = null;
  for (const id of ['note', 'words', 'file']) $(id).value = '';
  document.activeElement?.blur();
  show();
  // On a phone the picture is above what was pressed.
  $('clip').scrollIntoView({ block: 'nearest' });
}

function go(step) {
  const list = listed();
  const at = list.findIndex(({ hash }) => hash === shown);
  say('');
  showOther(list[Math.min(list.length - 1, Math.max(0, at + step))]?.hash ?? null);
}

function put(text) {
  texts = texts.map((other) => (other.hash === text.hash ? text : other));
}

/** The text after the change, null when it was not made. */
async function send(path, body, { hash, date } = current(), doing = '') {
  if (isBusy) return null;
  isBusy = true;
  say(doing);
  try {
    const query = new URLSearchParams({ hash, date });
    const response = await fetch(`${path}?${query}`, { method: 'POST', body });
    const answer = await response.json();
    if (response.ok) {
      put(answer);
      say('');
      return answer;
    }
    if (response.status === 409 && answer.now) put(answer.now);
    say(`Not done: ${answer.error}.`);
  } catch {
    say('Not done: sign-prepare review does not answer. Does it still run?');
  } finally {
    isBusy = false;
  }
  show();
  return null;
}

const judged = { draft: 'to be judged again', approved: 'approved', rejected: 'rejected' };

/** After a judgement the next text is shown. */
async function judge(state, note) {
  const text = current();
  const list = listed();
  const next = list[list.findIndex(({ hash }) => hash === shown) + 1];
  if (!(await send('judge', JSON.stringify({ state, note }), text))) return;
  takeBack = async () => {
    const was = { state: text.state === 'replaced' ? 'approved' : text.state, note: text.note };
    const now = texts.find(({ hash }) => hash === text.hash);
    if (now && (await send('judge', JSON.stringify(was), now))) showOther(text.hash);
  };
  showOther(next?.hash ?? null);
  say(`${judged[state][0].toUpperCase()}${judged[state].slice(1)}: ${text.text}`);
}

/** Puts another clip in the place of this one. */
async function change(path, body, doing) {
  const now = await send(path, body, current(), doing);
  if (!now) return false;
  takeBack = async () => {
    const last = texts.find(({ hash }) => hash === now.hash);
    if (last && (await send('restore', '', last))) showOther(last.hash);
  };
  showOther(now.hash);
  if (now.bytes > LARGE_BYTES)
    say(`It has ${megabytes(now.bytes)}, and each visitor loads all of it: a smaller picture starts sooner.`);
  return true;
}

function replaceBy(file) {
  if (!file || !current()) return;
  if (file.size > MOST_BYTES)
    say(`Not done: this file has ${megabytes(file.size)}, and a clip at most ${megabytes(MOST_BYTES)}.`);
  else void change('replace', file, 'The video is sent and checked …');
}

const actions = {
  approve: () => judge('approved', ''),
  next: () => go(1),
  previous: () => go(-1),
  async undo() {
    const back = takeBack;
    takeBack = null;
    await back?.();
  },
  ...watching,
  compare() {
    isComparing = $('before').hidden;
    show();
  },
  restore: () => change('restore', '', ''),
};
const keys = {
  ...{ a: 'approve', u: 'undo', b: 'restore' },
  ...{ arrowright: 'next', j: 'next', arrowleft: 'previous', k: 'previous' },
  ...{ ' ': 'play', l: 'loop', h: 'half', ',': 'frame-back', '.': 'frame-on', c: 'compare', v: 'file' },
};
/** What may be done again and again while a key is held. */
const repeated = new Set([',', '.', 'arrowright', 'arrowleft']);
const fields = { r: 'note', w: 'words' };

for (const [id, act] of Object.entries(actions)) $(id).addEventListener('click', act);
$('filter').addEventListener('change', () => {
  say('');
  showOther(null);
});
$('reject').addEventListener('submit', (event) => {
  event.preventDefault();
  void judge('rejected', $('note').value);
});
$('reword').addEventListener('submit', (event) => {
  event.preventDefault();
  void change('reword', JSON.stringify({ wording: $('words').value }), 'Being signed …');
});
$('file').addEventListener('change', () => replaceBy($('file').files[0]));
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  replaceBy(event.dataTransfer.files[0]);
});

/** The letter of the key. Where the keyboard writes another alphabet: the letter of the same key on a Latin one. */
const letterOf = ({ key, code }) =>
  (/^[^\x20-\x7e]$/.test(key) ? code.replace(/^Key/, '') : key).toLowerCase();

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const isField = event.target.matches('input:not([type=file]), select');
  if (event.key === 'Escape') event.target.blur();
  if (isField || (!current() && !takeBack)) return;
  const key = letterOf(event);
  // A focused control that the space bar opens or presses keeps the space bar.
  if (key === ' ' && event.target.matches('button, input, summary')) return;
  const id = fields[key] ?? keys[key];
  if (!id) return;
  event.preventDefault();
  if (event.repeat && !repeated.has(key)) return;
  if ($('more').contains($(id))) $('more').open = true;
  if (fields[key]) $(id).focus();
  else $(id).click();
});

/** Takes what others have done. The text that is shown stays as the reviewer saw it. */
async function refresh() {
  const response = await fetch('signs.json', { headers: tag ? { 'if-none-match': tag } : {} });
  if (response.status === 304) return;
  const edition = await response.json();
  if (!response.ok) throw new Error(edition.error);
  if (isBusy) return;
  tag = response.headers.get('etag') ?? '';
  canSign = edition.canSign;
  const seen = current();
  texts = inOrder(edition.texts.map((text) => (text.hash === seen?.hash ? seen : text)));
  if (seen && current()) return showCount();
  await Promise.race([
    readOrder(texts.find(filters.draft)?.pages[0]).catch(() => {}),
    new Promise((resolve) => setTimeout(resolve, FIRST_ORDER_MS)),
  ]);
  arrange();
}

setInterval(() => {
  if (!document.hidden && !isBusy) refresh().catch(() => {});
}, AGAIN_MS);
try {
  await refresh();
} catch (error) {
  say(`The edition cannot be read: ${error.message}.`);
}
