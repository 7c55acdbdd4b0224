// A page with a signer: attributes, an object property, events and a ref.
import 'sign-elements/define/sign-translate';
import { useRef, useState } from 'preact/hooks';
import type { SignTranslate } from 'sign-elements';
import type {} from 'sign-elements/types/preact';

const options = { tone: 'calm' };

export function App() {
  const signer = useRef<SignTranslate>(null);
  const [name, setName] = useState('RAE');
  const [signed, setSigned] = useState('');
  return (
    <>
      <main id="news">
        <h1>News</h1>
        <p>The library opens at nine.</p>
      </main>
      <sign-translate
        ref={signer}
        for="news"
        controls
        idle-after="none"
        signer={name}
        generateOptions={options}
        onsign-end={({ detail }) => setSigned(detail.text)}
      />
      <button id="sign" onClick={() => void signer.current?.sign('Welcome.')}>
        Sign a welcome
      </button>
      <button id="swap" onClick={() => setName('JAY')}>
        Another signer
      </button>
      <output>{signed}</output>
    </>
  );
}
