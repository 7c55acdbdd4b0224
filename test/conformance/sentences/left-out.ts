// Sentences of the documents that no case of this suite checks, each with the reason.
// - A sentence without a case must be listed here.
// - What a document says of its clients, or calls "not shown", is no sentence about the service.
import type { DocumentNumber } from './index.ts';

export interface LeftOut {
  readonly document: DocumentNumber;
  readonly says: string;
  readonly why: string;
}

const meaning = 'what the signs say cannot be read by a program';
const contradiction = 'the document contradicts itself';
const otherProtocol = 'none of the documents describes those protocols';

export const leftOut: readonly LeftOut[] = [
  { document: 1, says: '`destination` is `KGX` by default', why: `${contradiction}: it is required as well` },
  { document: 1, says: 'the final destination is added to `callingAt`', why: meaning },
  { document: 1, says: 'what each field makes the announcement say', why: meaning },
  {
    document: 1,
    says: 'the rate holds on staging and on production',
    why: 'nobody’s service is to be flooded',
  },
  {
    document: 2,
    says: '`delivery.method` may be `push`',
    why: `${contradiction}: only the error notes list it`,
  },
  {
    document: 2,
    says: '`screenId` may be set in `context` instead',
    why: `${contradiction}: rule 1 requires the one in \`delivery.config\``,
  },
  { document: 2, says: 'the bitrates are about 1.5, 5 and 15 Mbps', why: 'a drawn picture may need less' },
  {
    document: 2,
    says: '`signerOnly`, `signerSize` and `fitMode` change the composition',
    why: 'a program cannot tell a signer from a background for certain',
  },
  { document: 2, says: 'live output is about 10 seconds behind', why: 'how late is no yes or no' },
  { document: 2, says: 'speech is transcribed and translated', why: meaning },
  {
    document: 2,
    says: 'a session with `connectionId` sends notifications',
    why: 'the connection endpoint is not shown',
  },
  { document: 2, says: '`relayActive` is true behind a relay', why: 'nothing asks for a relay' },
  {
    document: 2,
    says: 'the composite’s signer is bottom right, 20 % of the area, keyed out, held between sentences',
    why: 'a program cannot tell a signer from a background for certain',
  },
  {
    document: 2,
    says: 'the signer-only output is on a plain background',
    why: 'a program cannot tell a signer from a background for certain',
  },
  { document: 2, says: 'placement and size cannot be configured', why: 'nothing asks for another' },
  {
    document: 2,
    says: '`keyLength` is meaningful only with a passphrase',
    why: 'what has no meaning does not show',
  },
  { document: 2, says: 'the composite has a live window of 45 seconds', why: 'longer than a case may last' },
  { document: 2, says: 'RTMP and SRT output are pushed', why: 'nothing here receives them' },
  { document: 3, says: 'V1 and V2 remain on the same address', why: otherProtocol },
  { document: 3, says: 'the signers depend on the account', why: 'there is one account at a time' },
  { document: 3, says: 'a URL is signed for a viewer and a session', why: 'this program is one viewer' },
  { document: 3, says: 'results may arrive out of order', why: 'they may, and need not' },
  { document: 3, says: 'no application-level ping is needed', why: 'nothing shows that none is' },
  { document: 3, says: 'credentials of general availability', why: 'not there yet' },
];
