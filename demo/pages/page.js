// The demo page as a site owner would write it: a form, a button beside each paragraph, and a list of what happens to
// each text. Texts are put on the page as text, never as markup.
const signer = document.getElementById('signer');
const form = document.getElementById('ask');
const queue = document.getElementById('queue');

/** Signs a text and shows in the list how it fares. */
async function sign(text) {
  const row = document.createElement('li');
  const [words, state] = [document.createElement('span'), document.createElement('span')];
  words.textContent = text || '(nothing)';
  row.append(words, state);
  queue.prepend(row);
  while (queue.children.length > 6) queue.lastChild.remove();
  const show = (name, label = name) => {
    state.dataset.state = name;
    state.textContent = label;
  };
  show('waiting');
  const started = (event) => event.detail.text === text && show('signing');
  signer.addEventListener('sign-start', started);
  try {
    await signer.sign(text);
    show('signed');
  } catch (error) {
    show('failed', error.code ?? 'stopped');
  } finally {
    signer.removeEventListener('sign-start', started);
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void sign(form.words.value);
  form.words.select();
});

form.words.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

for (const choice of document.querySelectorAll('#way select')) {
  choice.addEventListener('change', () => signer.setAttribute(choice.id, choice.value));
}

for (const block of document.querySelectorAll('article p:not([data-sign-skip])')) {
  const text = block.dataset.signText ?? block.textContent.replace(/\s+/g, ' ').trim();
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'sign-this';
  button.textContent = 'Sign';
  button.dataset.signSkip = '';
  button.setAttribute('aria-label', `Sign: ${text.slice(0, 40)}`);
  button.addEventListener('click', () => void sign(text));
  block.append(button);
}
