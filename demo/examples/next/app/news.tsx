'use client';

// A page with a signer: attributes, an object property, events and a ref.
import { useRef, useState } from 'react';
import type { SignTranslate as SignTranslateElement } from 'sign-elements';
import { SignTranslate } from 'sign-elements/react';

const options = { tone: 'calm' };

export function News({ proxy }: { proxy: string }) {
  const signer = useRef<SignTranslateElement>(null);
  const [name, setName] = useState('RAE');
  const [signed, setSigned] = useState('');
  return (
    <>
      <main id="news">
        <h1>News</h1>
        <p>The library opens at nine.</p>
      </main>
      <SignTranslate
        ref={signer}
        proxy={proxy}
        for="news"
        controls
        idleAfter="none"
        signer={name}
        generateOptions={options}
        onSignEnd={({ detail }) => setSigned(detail.text)}
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
