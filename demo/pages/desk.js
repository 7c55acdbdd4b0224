// A help desk: an idle signer who answers a question when one is chosen.
// - A new question replaces those that wait.
const signer = document.getElementById('signer');

const answers = {
  'Where is the eye clinic?': 'The eye clinic is on the second floor. Take the lift next to this desk.',
  'How long do I have to wait?':
    'You have to wait for about twenty minutes. Your name is shown on the screen.',
  'Where can I eat something?': 'The café is on the ground floor. It is open until six in the evening.',
  'Can I have an interpreter?': 'Yes. Ask us three days before your visit, and an interpreter will be there.',
};

for (const [question, answer] of Object.entries(answers)) {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = question;
  button.addEventListener('click', () => {
    signer.clear();
    // An error is shown in the signer's own box.
    signer.sign(answer).catch(() => {});
  });
  item.append(button);
  document.getElementById('questions').append(item);
}
