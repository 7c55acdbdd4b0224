// The page of a live event as a site owner would write it. Its address names the session (`live.html?session=…`). It has a choice
// of picture and protocol, and shows the state in words.
const signer = document.getElementById('signer');
const form = document.getElementById('choose');
const state = document.getElementById('state');

const states = {
  idle: 'No session is chosen.',
  connecting: 'Looking for the session…',
  ready: 'The session is there, the picture is coming.',
  signing: 'Live.',
  reconnecting: 'The picture was lost. Trying again…',
  finalizing: 'The event is over, its last seconds are shown.',
  ended: 'The event is over.',
  failed: 'This session cannot be shown.',
};

signer.addEventListener('sign-statechange', (event) => {
  state.textContent = states[event.detail.state];
});
for (const id of ['view', 'protocol']) {
  document
    .getElementById(id)
    .addEventListener('change', ({ target }) => signer.setAttribute(id, target.value));
}
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const session = form.session.value.trim();
  history.replaceState(null, '', session ? `?session=${encodeURIComponent(session)}` : location.pathname);
  signer.session = session;
});

form.session.value = new URLSearchParams(location.search).get('session') ?? '';
state.textContent = states.idle;
if (form.session.value) signer.setAttribute('session', form.session.value);
