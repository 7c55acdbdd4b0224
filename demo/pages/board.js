// The departure board of a station. It has one signer, and an announcement for each train in the fields of the announcement API.
// - Texts are put on the page as text, never as markup.
const signer = document.getElementById('signer');
const state = document.getElementById('state');

const trains = [
  { timing: '0915', to: 'Edinburgh', destination: 'EDB', platform: '4', expected: 'On time' },
  {
    timing: '0932',
    to: 'Leeds',
    destination: 'LDS',
    platform: '2',
    expected: '09:47',
    fields: { updatedTiming: '0947' },
  },
  {
    timing: '0940',
    to: 'Cambridge',
    destination: 'CBG',
    platform: '9',
    expected: 'Platform 10',
    fields: { updatedPlatform: '10' },
  },
  {
    timing: '1003',
    to: 'Newcastle',
    destination: 'NCL',
    platform: '1',
    expected: 'Cancelled',
    fields: { cancelled: true },
  },
];

// When the signing starts, the picture shows the state.
signer.addEventListener('sign-start', () => (state.textContent = ''));

async function announce({ timing, to, destination, platform, fields = {} }) {
  state.textContent = `The announcement for ${to} is being made…`;
  try {
    await signer.announce({ timing, destination, platform, ...fields });
    state.textContent = `The announcement for ${to} was signed.`;
  } catch (error) {
    if (error.name !== 'AbortError')
      state.textContent = `The announcement for ${to} failed: ${error.message}`;
  }
}

for (const train of trains) {
  const row = document.getElementById('trains').insertRow();
  const time = `${train.timing.slice(0, 2)}:${train.timing.slice(2)}`;
  for (const text of [time, train.to, train.platform, train.expected]) row.insertCell().textContent = text;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Announce';
  button.setAttribute('aria-label', `Announce the ${time} to ${train.to}`);
  button.addEventListener('click', () => void announce(train));
  row.insertCell().append(button);
}
