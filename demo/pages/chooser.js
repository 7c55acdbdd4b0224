// The choices of the front page. Each choice changes the example element and the two lines to paste at once.
// - A default value is not written, so the lines stay short.
// - A choice of another kind, place or launcher makes a new element. Every other choice changes the existing element.
// - Theme files are shown as they are served, so that a visitor copies exactly what the page uses.
const form = document.getElementById('choices');
const stage = document.getElementById('stage');
const away = document.getElementById('away');
const notice = document.getElementById('notice');
const transport = document.getElementById('transport');

/** What a kind shows, as an example. */
const examples = {
  'sign-live-player': { session: 'your-session-id' },
  'sign-announcement': { timing: '0915', destination: 'EDB', platform: '4' },
};
const corners = {
  'bottom-right': 'in the bottom right corner ↘',
  'bottom-left': 'in the bottom left corner ↙',
  'top-right': 'in the top right corner ↗',
  'top-left': 'in the top left corner ↖',
};

const isFor = (choice, element) => {
  const kinds = element.dataset.for.split(' ');
  return kinds.includes(choice.tag) || (kinds.includes('corner') && choice.placement !== '');
};

/** The choices that belong to the chosen kind. */
function read() {
  const choice = Object.fromEntries(new FormData(form));
  for (const element of document.querySelectorAll('[data-for]')) element.hidden = !isFor(choice, element);
  for (const control of document.querySelectorAll('.try button, .ask :is(button, textarea)'))
    control.disabled = choice.tag !== 'sign-translate';
  for (const { name } of form.querySelectorAll('[hidden] :checked')) choice[name] = '';
  return choice;
}

/** The attributes of the element to paste. An empty value means a boolean attribute. */
function attributesOf({ tag, signer, placement, launcher, controls, theme, mode, ...choice }) {
  const attributes = { ...examples[tag] };
  if (tag === 'sign-translate') attributes.for = choice.for.trim() || 'main';
  if (signer) attributes.signer = signer;
  if (mode) attributes.mode = mode;
  if (placement) attributes.placement = placement;
  if (launcher) attributes.launcher = '';
  if (controls !== 'none') attributes.controls = controls;
  if (theme) attributes.class = theme;
  return attributes;
}

/** What a theme shows before the first text; null for the outline of a signer. */
function idleOf({ tag, theme }) {
  if (tag !== 'sign-translate' || theme !== 'night') return null;
  const words = document.createElement('p');
  words.slot = 'idle';
  words.textContent = 'Press play';
  return words;
}

const span = (kind, text) => {
  const part = document.createElement('span');
  part.className = kind;
  part.textContent = text;
  return part;
};

/** Value of each attribute in the previous lines, so that changed ones can be marked. */
let before = null;

/** A line of HTML with coloured parts. `isSame` says whether an attribute is unchanged. */
function line(tag, attributes, isSame, { content = '', end = '' } = {}) {
  const parts = Object.entries(attributes).map(([name, value]) => {
    const quoted = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const part = span('attribute', value === '' ? name : `${name}="${quoted}"`);
    part.classList.toggle('new', !isSame(name, value));
    return [' ', part];
  });
  const whole = document.createElement('span');
  const rest = content ? [span('tag', '>'), content, span('tag', `</${tag}>`)] : [span('tag', `></${tag}>`)];
  whole.append(span('tag', `<${tag}`), ...parts.flat(), ...rest, end);
  return whole;
}

function write({ tag, theme, proxy, launcher }, attributes) {
  const prefix = `${(proxy || location.origin).replace(/\/+$/, '')}/sign`;
  // With the classic script, and only with it, nothing but the button is loaded until a visitor presses it.
  const script = launcher
    ? { src: `${prefix}/elements.classic.js` }
    : { type: 'module', src: `${prefix}/elements.js` };
  const next = { ...script, ...attributes };
  const isSame = (name, value) => before === null || before[name] === value;
  document
    .getElementById('snippet')
    .replaceChildren(
      line('script', script, isSame, { end: '\n' }),
      line(tag, attributes, isSame, { content: idleOf({ tag, theme })?.outerHTML }),
    );
  before = next;
}

async function showTheme(theme) {
  const code = document.getElementById('theme-code');
  code.hidden = !theme;
  if (!theme) return;
  const response = await fetch(`themes/${theme}.css`);
  if (response.ok && form.theme.value === theme)
    document.getElementById('theme-css').textContent = await response.text();
}

/** A live player of the demo shows the demo's own event. */
async function goLive(player) {
  const response = await fetch('/event', { method: 'POST' }).catch(() => null);
  if (response?.ok) player.session = (await response.json()).session;
  else notice.textContent = 'The live event could not start. Reload the page to try again.';
}

/** The attributes that the choices set and remove. All other attributes of the element stay. */
const CHOSEN = [
  'signer',
  'mode',
  'placement',
  'launcher',
  'controls',
  'class',
  'timing',
  'destination',
  'platform',
];

/** Shows the chosen element, which signs this page or shows the demo's own event. */
function perform(choice, attributes) {
  let element = stage.querySelector('#signer');
  const kind = [choice.tag, choice.placement, choice.launcher].join(' ');
  const isOther = stage.dataset.kind !== kind;
  if (isOther && stage.dataset.kind) {
    const next = document.createElement(choice.tag);
    next.id = 'signer';
    next.setAttribute('remember', 'none');
    if (choice.tag === 'sign-translate') {
      next.setAttribute('for', 'intro');
      next.setAttribute('transport', transport.value);
    }
    set(next, attributes);
    element.replaceWith(next);
    element = next;
    if (choice.tag === 'sign-live-player') void goLive(element);
  } else {
    set(element, attributes);
  }
  element.replaceChildren(idleOf(choice) ?? '');
  stage.dataset.kind = kind;
  away.hidden = choice.placement === '';
  away.textContent = `The signer is ${corners[choice.placement]}`;
}

function set(element, attributes) {
  for (const name of CHOSEN) {
    if (!(name in attributes)) element.removeAttribute(name);
    else if (element.getAttribute(name) !== attributes[name]) element.setAttribute(name, attributes[name]);
  }
}

function apply() {
  const choice = read();
  const attributes = attributesOf(choice);
  write(choice, attributes);
  perform(choice, attributes);
  void showTheme(choice.theme);
}

async function copy({ dataset }) {
  const code = document.getElementById(dataset.copies);
  try {
    await navigator.clipboard.writeText(code.textContent);
    notice.textContent = 'Copied.';
  } catch {
    // Browsers let only pages that are loaded over TLS or from this machine write to the clipboard.
    getSelection().selectAllChildren(code);
    notice.textContent =
      'The browser did not let the page copy. The text is selected: copy it with your keyboard.';
  }
}

form.proxy.value = location.origin;
form.addEventListener('input', (event) => {
  notice.textContent = '';
  apply();
  if (event.target.name !== 'signer') return;
  const { textContent } = event.target.parentElement;
  // A greeting shows the new signer. An error is shown in the signer's own box.
  stage
    .querySelector('sign-translate')
    ?.sign(`Hello! I am ${textContent}.`)
    .catch(() => {});
});
form.addEventListener('submit', (event) => event.preventDefault());
for (const button of document.querySelectorAll('[data-copies]'))
  button.addEventListener('click', () => void copy(button));
transport.addEventListener('change', () => {
  stage.querySelector('sign-translate')?.setAttribute('transport', transport.value);
});
apply();
