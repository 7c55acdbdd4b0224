// The page on which people judge the clips of an edition, by keyboard first.
// - What is shown is one text; a judgement is sent with the date of what was seen, and 409 shows what another reviewer has made of it.

// A script without an export shares its names with the other scripts of the repository, for what checks their types.
export {};

const $ = (id) => document.getElementById(id);

/** All texts, in the order of their pages. */
let texts = [];
/** Hash of the text that is shown. */
let shown = null;
let canSign = false;
let isComparing = false;

const filters = {
  draft: ({ state, stale }) => state === 'draft' && !stale,
  all: () => true,
  rejected: ({ state }) => state === 'rejected',
  stale: ({ stale }) => stale === true,
};

const listed = () => texts.filter((text) => text.hash === shown || filters[$('filter').value](text));
const current = () => texts.find(({ hash }) => hash === shown);

function say(message) {
  $('message').textContent = message;
}

/** What the page of a new text had before: of the texts that it has no more, the one with most words in common. */
function formerOf({ text, pages }) {
  const words = new Set(text.toLowerCase().split(/\s+/));
  const common = (other) =>
    other.text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => words.has(word)).length;
  const former = texts.filter((other) => other.stale && other.pages.some((page) => pages.includes(page)));
  return former.sort((a, b) => common(b) - common(a)).find((other) => common(other) > 0);
}

function setVideo(video, file) {
  if (video.getAttribute('src') === file) return;
  if (file) video.src = file;
  else video.removeAttribute('src');
}

const stateWords = {
  draft: 'to be judged',
  approved: 'approved',
  rejected: 'rejected',
  replaced: 'a video by a person',
};

function show() {
  const list = listed();
  if (!current()) shown = list[0]?.hash ?? null;
  const text = current();
  const toJudge = texts.filter(filters.draft).length;
  $('count').textContent = `${toJudge} of ${texts.length} to be judged`;
  for (const control of document.querySelectorAll('main :is(button, input)')) control.disabled = !text;
  setVideo($('clip'), text?.file);
  if (!text) {
    $('state').textContent = '';
    $('text').textContent = 'Nothing is left here.';
    for (const id of ['wording', 'was', 'before']) $(id).hidden = true;
    $('pages').textContent = $('playing').textContent = '';
    return;
  }
  const former = text.stale ? undefined : formerOf(text);
  const before = text.before ?? former?.file;
  $('state').textContent =
    `${stateWords[text.state]}${text.note ? `: ${text.note}` : ''}${text.stale ? ' (no page has it any more)' : ''}`;
  $('text').textContent = text.text;
  $('wording').hidden = !text.wording;
  $('wording').textContent = `Signed as: ${text.wording}`;
  $('was').hidden = !former;
  $('was').textContent = former ? `The page had before: ${former.text}` : '';
  $('pages').textContent = text.pages.join(', ');
  $('compare').disabled = !before;
  $('compare').ariaPressed = String(isComparing && Boolean(before));
  $('before').hidden = !before || !isComparing;
  setVideo($('before'), before);
  $('words').disabled = !canSign;
  $('playing').textContent = `${text.seconds} s`;
}

function go(step) {
  const list = listed();
  const at = list.findIndex(({ hash }) => hash === shown);
  shown = list[Math.min(list.length - 1, Math.max(0, at + step))]?.hash ?? null;
  isComparing = false;
  for (const id of ['note', 'words']) $(id).value = '';
  say('');
  show();
}

function put(text) {
  texts = texts.map((other) => (other.hash === text.hash ? text : other));
}

async function send(path, body) {
  const { hash, date } = current();
  say('');
  try {
    const query = new URLSearchParams({ hash, date });
    const response = await fetch(`${path}?${query}`, { method: 'POST', body });
    const answer = await response.json();
    if (response.ok) {
      put(answer);
      return true;
    }
    if (response.status === 409 && answer.now) put(answer.now);
    say(`Not done: ${answer.error}.`);
  } catch (error) {
    say(`Not done: ${error.message}.`);
  }
  show();
  return false;
}

/** After a judgement the next text is shown. */
async function judge(state, note) {
  const list = listed();
  const next = list[list.findIndex(({ hash }) => hash === shown) + 1];
  if (!(await send('judge', JSON.stringify({ state, note })))) return;
  shown = next?.hash ?? null;
  isComparing = false;
  for (const id of ['note', 'words']) $(id).value = '';
  document.activeElement?.blur();
  show();
}

async function replaceBy(file) {
  if (file && current() && (await send('replace', file))) show();
}

const actions = {
  approve: () => judge('approved', ''),
  next: () => go(1),
  previous: () => go(-1),
  play() {
    for (const video of [$('clip'), $('before')]) {
      if (video.paused && !video.hidden) video.play().catch(() => {});
      else video.pause();
    }
  },
  loop() {
    const isOn = $('clip').loop !== true;
    for (const video of [$('clip'), $('before')]) video.loop = isOn;
    $('loop').ariaPressed = String(isOn);
    if (isOn)
      $('clip')
        .play()
        .catch(() => {});
  },
  half() {
    const rate = $('clip').playbackRate === 0.5 ? 1 : 0.5;
    for (const video of [$('clip'), $('before')]) video.defaultPlaybackRate = video.playbackRate = rate;
    $('half').ariaPressed = String(rate === 0.5);
  },
  compare() {
    isComparing = !isComparing;
    show();
    if (isComparing)
      $('before')
        .play()
        .catch(() => {});
  },
};
const keys = {
  a: 'approve',
  arrowright: 'next',
  j: 'next',
  arrowleft: 'previous',
  k: 'previous',
  ' ': 'play',
  l: 'loop',
  h: 'half',
  c: 'compare',
  v: 'file',
};
const fields = { r: 'note', w: 'words' };

for (const [id, act] of Object.entries(actions)) $(id).addEventListener('click', act);
$('filter').addEventListener('change', () => {
  shown = null;
  show();
});
$('reject').addEventListener('submit', (event) => {
  event.preventDefault();
  void judge('rejected', $('note').value);
});
$('reword').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('message').textContent = 'Being signed …';
  if (await send('reword', JSON.stringify({ wording: $('words').value }))) {
    $('words').value = '';
    document.activeElement?.blur();
    show();
  }
});
$('file').addEventListener('change', () => void replaceBy($('file').files[0]));
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  void replaceBy(event.dataTransfer.files[0]);
});
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isField = event.target.matches('input:not([type=file]), select');
  if (event.key === 'Escape') event.target.blur();
  if (isField || !current()) return;
  const key = event.key.toLowerCase();
  // What is focused and is opened or pressed by the space bar has it for itself.
  if (key === ' ' && event.target.matches('button, input')) return;
  if (fields[key]) $(fields[key]).focus();
  else if (keys[key]) $(keys[key]).click();
  else return;
  event.preventDefault();
});

const edition = await (await fetch('signs.json')).json();
canSign = edition.canSign;
texts = edition.texts.sort((a, b) => (a.pages[0] ?? '').localeCompare(b.pages[0] ?? ''));
show();
