// The live player of the documentation: a button that begins the made-up event of `npm start`.
// - Where nothing answers at /event, as on a site of static files, the button says so.
for (const player of document.querySelectorAll('.live sign-live-player')) {
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
