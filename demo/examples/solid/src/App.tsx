// A page with a signer: attributes, an object property, events and a reference to the element.
import 'sign-elements/define/sign-translate';
import { createSignal } from 'solid-js';
import type { SignTranslate } from 'sign-elements';
import type {} from 'sign-elements/types/solid';

const options = { tone: 'calm' };

export function App() {
  const [signer, setSigner] = createSignal<SignTranslate>();
  const [name, setName] = createSignal('RAE');
  const [signed, setSigned] = createSignal('');
  return (
    <>
      <main id="news">
        <h1>News</h1>
        <p>The library opens at nine.</p>
      </main>
      <sign-translate
        ref={setSigner}
        for="news"
        controls
        idle-after="none"
        signer={name()}
        prop:generateOptions={options}
        on:sign-end={({ detail }) => setSigned(detail.text)}
      />
      <button id="sign" onClick={() => void signer()?.sign('Welcome.')}>
        Sign a welcome
      </button>
      <button id="swap" onClick={() => setName('JAY')}>
        Another signer
      </button>
      <output>{signed()}</output>
    </>
  );
}
