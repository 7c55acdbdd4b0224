// Starts the examples of the documentation. They need a proxy: examples.json names its elements.js, or has null.
// - The built site has no proxy, and a note in each example says that one is needed. `npm start` names its own proxy.
// - The live player gets a button that begins the made-up event of `npm start`. When nothing answers at /event, the button says
//   so.
const { elements } = await (await fetch('examples.json')).json();
if (elements) {
  await import(elements);
  for (const player of document.querySelectorAll('.live sign-live-player')) offerEvent(player);
}

function offerEvent(player) {
  const button = document.createElement('button');
  const state = document.createElement('p');
  button.type = 'button';
  button.textContent = 'Begin a made-up live event';
  state.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    state.textContent = 'The event is beginning…';
    const response = await fetch('/event', { method: 'POST' }).catch(() => null);
    if (!response?.ok) {
      state.textContent = 'There is no event here. It is part of npm start.';
      return;
    }
    const { session } = await response.json();
    player.session = session;
    await player.play();
    state.textContent = 'A sentence is signed some seconds after it was said.';
  });
  player.after(button, state);
}
