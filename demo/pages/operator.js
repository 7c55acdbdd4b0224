// The page of an operator of live events. It creates, lists and stops sessions by the proxy's operator routes, and shows the
// markup that puts a session on a page.
// - The token is typed in and stays in its field. It is in no storage, address or cookie.
// - Answers of the service are shown as text, never as markup. A refusal is shown with its details and the time of the next try
//   (document 2, Errors).
const SESSIONS = '/sign/v2/live/sessions';
const byId = (id) => document.getElementById(id);
const [access, create, problem, preview] = ['access', 'create', 'problem', 'preview'].map(byId);

/** One request with the token; the parsed answer. @throws Error in the service's or the proxy's words */
async function ask(path, method = 'GET', body) {
  const response = await fetch(SESSIONS + path, {
    method,
    headers: {
      Authorization: `Bearer ${access.token.value}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const refusal = answer.error ?? { code: answer.code, message: answer.detail ?? answer.title };
  const { code = response.status, message, details } = refusal;
  const fields = (answer.errors ?? []).map(({ field, message }) => `${field} ${message}`);
  const seconds = response.headers.get('retry-after');
  const rest = [details && JSON.stringify(details), seconds && `try again in ${seconds} s`];
  throw new Error([code, message, ...fields, ...rest].filter(Boolean).join(': '));
}

/** Runs `run` and shows its error on the page. The button `pressed` is disabled until `run` has ended. */
async function attempt(pressed, run) {
  problem.textContent = '';
  pressed.disabled = true;
  try {
    await run();
  } catch (error) {
    problem.textContent = error.message;
  } finally {
    pressed.disabled = false;
  }
}

/** `label` is what a screen reader says when the text is not enough. */
function button(text, label, press) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.setAttribute('aria-label', label);
  made.addEventListener('click', () => void attempt(made, press));
  return made;
}

function addRow({ sessionId, status, sourceType, startedAt }) {
  const row = byId('list').insertRow();
  const short = sessionId.slice(0, 8);
  row.insertCell().append(button(short, `Show session ${short}`, () => choose(sessionId)));
  for (const text of [status, sourceType, startedAt ? new Date(startedAt).toLocaleTimeString() : ''])
    row.insertCell().textContent = text;
  const last = row.insertCell();
  if (status !== 'active') return;
  last.append(
    button('Stop', `Stop session ${short}`, async () => {
      await ask(`/${sessionId}`, 'DELETE');
      await list();
    }),
  );
}

let cursor = null;

/** Lists the sessions from the newest on, or those after `from`, which is the cursor of the previous answer. */
async function list(from = null) {
  const query = from === null ? '' : `?cursor=${encodeURIComponent(from)}`;
  const { sessions, cursor: next = null } = await ask(query);
  if (from === null) byId('list').replaceChildren();
  sessions.forEach(addRow);
  cursor = next;
  byId('more').hidden = cursor === null;
  byId('sessions').hidden = false;
}

/** An ffmpeg command that sends its first frame at once. Without zerolatency, x264 delays the output by some 50 frames. */
const sender = (format, address) =>
  `ffmpeg -re -i film.mp4 -c:v libx264 -preset veryfast -tune zerolatency -c:a aac -f ${format} '${address}'`;

/** What to do with a session: how to put its signer on a page, and how to send a video to it. */
function factsOf({ sessionId, rtmpEndpoints, ingestUrl, srtPassphrase }) {
  const facts = [['On a page', `<sign-live-player session="${sessionId}" controls></sign-live-player>`]];
  const [rtmp] = rtmpEndpoints ?? [];
  if (rtmp) {
    facts.push(['Push to', rtmp]);
    facts.push(['With ffmpeg', sender('flv', rtmp)]);
  }
  if (ingestUrl) {
    // ffmpeg takes the passphrase as it is, not percent-encoded.
    const address = `${ingestUrl}${ingestUrl.includes('?') ? '&' : '?'}passphrase=${srtPassphrase}`;
    facts.push(['Push to', ingestUrl], ['Passphrase', srtPassphrase]);
    facts.push(['With ffmpeg', sender('mpegts', address)]);
  }
  return facts;
}

let newest = '';

async function choose(sessionId) {
  newest = sessionId;
  const session = await ask(`/${sessionId}`);
  if (newest !== sessionId) return;
  byId('chosen-title').textContent = `Session ${sessionId.slice(0, 8)}`;
  byId('facts').replaceChildren(
    ...factsOf(session).flatMap(([term, text]) => {
      const [dt, dd, code] = ['dt', 'dd', 'code'].map((name) => document.createElement(name));
      dt.textContent = term;
      code.textContent = text;
      dd.append(code);
      return [dt, dd];
    }),
  );
  preview.setAttribute('session', sessionId);
  byId('chosen').hidden = false;
}

access.addEventListener('submit', (event) => {
  event.preventDefault();
  void attempt(event.submitter, () => list());
});
byId('refresh').addEventListener('click', ({ target }) => void attempt(target, () => list()));
byId('more').addEventListener('click', ({ target }) => void attempt(target, () => list(cursor)));

/** Shows only the fields that the chosen source needs. */
function showFields() {
  for (const field of create.querySelectorAll('[data-for]')) {
    field.hidden = field.dataset.for !== create.sourceType.value;
    if ('required' in field) field.required = !field.hidden;
  }
}
create.sourceType.addEventListener('change', showFields);
showFields();
create.addEventListener('submit', (event) => {
  event.preventDefault();
  void attempt(event.submitter, async () => {
    const { sourceType, hlsSourceUrl, signer, pictureInPicture } = create;
    const { sessionId } = await ask('', 'POST', {
      sourceType: sourceType.value,
      ...(sourceType.value === 'HLS_PULL' ? { hlsSourceUrl: hlsSourceUrl.value } : {}),
      signer: signer.value,
      pictureInPicture: pictureInPicture.checked,
    });
    await list();
    await choose(sessionId);
  });
});
