// A page with a signer, and no framework: an object property, events and a call.
import 'sign-elements/define/sign-translate';

const signer = document.querySelector('sign-translate');
signer.generateOptions = { tone: 'calm' };
signer.addEventListener('sign-end', ({ detail }) => {
  document.querySelector('output').textContent = detail.text;
});
document.getElementById('sign').addEventListener('click', () => void signer.sign('Welcome.'));
document.getElementById('swap').addEventListener('click', () => {
  signer.signer = 'JAY';
});
