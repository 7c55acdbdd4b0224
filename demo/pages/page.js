// The demo's front page: a greeting, a form, and a list of what happens to each text.
// - Texts are put on the page as text, never as markup.
// - The visitor's choices may replace the element (chooser.js), so it is looked up each time.
const form = document.getElementById('ask');
const queue = document.getElementById('queue');

/** The element that signs texts; null while another kind is chosen. */
const signer = () => document.querySelector('sign-translate');

/** Signs a text and shows its state in the list. */
async function sign(text) {
  const row = document.createElement('li');
  const [words, state] = [document.createElement('span'), document.createElement('span')];
  words.textContent = text || '(nothing)';
  row.append(words, state);
  queue.prepend(row);
  while (queue.children.length > 3) queue.lastChild.remove();
  const show = (name, label = name) => {
    state.dataset.state = name;
    state.textContent = label;
  };
  show('waiting');
  const element = signer();
  const started = (event) => event.detail.text === text && show('signing');
  element.addEventListener('sign-start', started);
  try {
    await element.sign(text);
    show('signed');
  } catch (error) {
    show('failed', error.code ?? 'stopped');
  } finally {
    element.removeEventListener('sign-start', started);
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

document.getElementById('read').addEventListener('click', () => {
  const reader = signer();
  reader.show();
  void reader.read();
});

// The page signs at once, to show what the product does. For a visitor who prefers reduced motion it signs only after a button is
// pressed.
if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
  await customElements.whenDefined('sign-translate');
  // An error is shown in the signer's own box.
  signer()
    ?.sign('Hello! I sign what this page says.')
    .catch(() => {});
}
