// The panel for faults of the sandbox.
// - It gets the list of faults from the sandbox's control route, so that there is no second list.
// - It is hidden where that route cannot be reached.
// - Names and words are put on the page as text, never as markup.
const panel = document.getElementById('faults');
const form = document.getElementById('fault');
const fields = document.getElementById('fault-fields');
const PATH = '/sandbox/faults';

/** The faults in force. The next fault is added to them. */
let inForce = [];

function fieldFor(name, schema, path, required) {
  const label = document.createElement('label');
  const values = schema.enum ?? ('const' in schema ? [schema.const] : null);
  const input = document.createElement(values ? 'select' : 'input');
  label.textContent = name.replaceAll('_', ' ');
  input.dataset.path = path;
  input.dataset.type = schema.type;
  if (values) {
    if (!required) input.append(new Option('any', ''));
    input.append(...values.map((value) => new Option(value, value)));
  } else {
    input.type = schema.type === 'string' ? 'text' : 'number';
    input.step = schema.type === 'integer' ? '1' : 'any';
    input.min = schema.minimum ?? '';
    input.max = schema.maximum ?? '';
    input.required = required;
  }
  label.append(input);
  return label;
}

/**
 * Inputs for an object's properties, and for the properties of objects in it. In an optional object all properties are optional.
 */
const fieldsFor = ({ properties, required = [] }, path = '', isOptional = false) =>
  Object.entries(properties).flatMap(([name, schema]) => {
    if (name === 'fault') return [];
    const mayLack = isOptional || !required.includes(name);
    if (schema.properties) return fieldsFor(schema, `${path}${name}.`, mayLack);
    return [fieldFor(name, schema, path + name, !mayLack)];
  });

/** The value of a filled input, of the type that its schema has. */
function valueOf({ value, dataset: { type } }) {
  if (type === 'string') return value;
  return type === 'boolean' ? value === 'true' : Number(value);
}

/** The fault that the filled inputs describe. */
function asked() {
  const fault = { fault: form.fault.value };
  for (const input of fields.querySelectorAll('[data-path]')) {
    if (input.value === '') continue;
    const path = input.dataset.path.split('.');
    const last = path.pop();
    const holder = path.reduce((object, name) => (object[name] ??= {}), fault);
    holder[last] = valueOf(input);
  }
  return fault;
}

function tell(faults) {
  inForce = faults;
  const lines = faults.map((fault) => {
    const line = document.createElement('li');
    line.textContent = JSON.stringify(fault);
    return line;
  });
  document.getElementById('in-force').replaceChildren(...lines);
}

async function put(faults) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(PATH, { method: 'POST', headers, body: JSON.stringify(faults) });
  const answer = await response.json();
  if (response.ok) return tell(answer.in_force);
  const line = document.createElement('li');
  line.textContent = [answer.error, ...(answer.problems ?? [])].join(': ');
  document.getElementById('in-force').append(line);
}

const response = await fetch(PATH);
if (response.ok) {
  const { faults, in_force } = await response.json();
  form.fault.append(...faults.map(({ fault }) => new Option(fault.replaceAll('_', ' '), fault)));
  const choose = () => {
    const { about, schema } = faults.find(({ fault }) => fault === form.fault.value);
    document.getElementById('fault-about').textContent = about;
    fields.replaceChildren(...fieldsFor(schema));
  };
  form.fault.addEventListener('change', choose);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void put([...inForce, asked()]);
  });
  document.getElementById('fault-end').addEventListener('click', () => void put([]));
  choose();
  tell(in_force);
  panel.hidden = false;
}
