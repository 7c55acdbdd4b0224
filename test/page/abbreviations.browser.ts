// Abbreviations of government and health pages in the languages of the interface, in Italian and in Dutch.
import { expect, fixture, html } from '@open-wc/testing';
import { PageReader } from '../../src/page/page-reader.ts';

/** The sentences of a paragraph in each language. */
const paragraphs: Readonly<Record<string, readonly string[]>> = {
  en: [
    'See sec. 4 and chap. 4 of vol. II.',
    'Ask the dept. Head spoke to Supt. Jones and Messrs. Smith.',
    'Ring the Dept. of Health on tel. No. 020, ext. 5.',
    'It is 5 ft. 3 in. tall.',
    'Wait 5 min. before you eat.',
    'Min. 2 people.',
    'Take 5 mg.',
    'Keep it at temp. 5 °C.',
    'It is in Fifth Ave. North of the park.',
    'Go along Park Ave.',
    'Then turn.',
    'Do it twice.',
    'Eat food with vitamin C.',
    'It helps.',
    'She has a Ph.D.',
    'Then she left.',
    'We sat.',
    '5 MPs came.',
    'Call AT&T.',
    'Ask for R&D.',
    'Log on.',
    'Tell me.',
    'Now go.',
  ],
  de: [
    'Im 3. Jh. v. Chr. begann es, 300 n. Chr. endete es.',
    'Siehe Bd. 3.',
    'Danach kommt Kapitel 4.',
    'Danach gilt § 5.',
    'Das steht in Abs. 2.',
    'Min. 2 Tage, max. Dauer 5 Std. am Tag.',
    'Die Fa. Müller, Hauptstr. 5, Kto.-Nr. 7.',
    'Öffnungszeiten: Mo. bis Fr. 9 Uhr.',
    'Die dt. Regierung sagt das.',
    'Nimm Vitamin C.',
    'Das hilft gem. Nr. 4.',
    'Warte 5 Min.',
    'Dann iss.',
    'Am 3. Mai kam Ludwig XIV. und ging.',
  ],
  fr: [
    'Voir chap. 4, fig. 3 et art. R. 421-1.',
    'Me. Martin, Pr. Petit et Mme. Curie sont là.',
    'En 50 av. J.-C. il vint.',
    'Le 3 janv. 2026, tél. 01.',
    'Min. 2 jours, env. 5 km.',
    'Prenez de la vitamine C.',
    'L’organisme en a besoin.',
    'Du pain, etc.',
    'Puis la fin.',
    'Dites-le à M. Le Pen.',
  ],
  es: [
    'Vea la sec. 4, el cap. 3 y las págs. 5 a 7 del s. XIX.',
    'El Gral. López y Dña. Ana viven en Avda. América y Sto. Tomás.',
    'Mín. 2 días, máx. 5.',
    'RR. HH. informa el 3 ene. 2026.',
    'Abre el 5 mar. 2026.',
    'Vimos el mar.',
    '5 Estados lo ven.',
    'Tome vitamina C.',
    'Es buena.',
    'Pan, etc.',
    'Fin.',
  ],
  pt: [
    'Veja o cap. 4, págs. 5 e 6.',
    'Os Srs. Silva e a Profa. Reis falam com o Min. Costa na Av. Brasil.',
    'Mín. 2 dias, n. 5.',
    'Abre a 5 set. 2026.',
    'Tome vitamina C.',
    'Não faz mal.',
    'Exmo. Senhor Silva.',
  ],
  it: [
    'Il Sig. Rossi, il Dott. Verdi e l’Avv. Neri ci sono.',
    'Secondo l’art. 5, co. 2, n. 7 e le pagg. 5 e 6.',
    'Min. 2 giorni, sez. 4.',
    'L’On. Bianchi e il Min. Neri parlano.',
    'Prendi la vitamina C.',
    'Non fa male.',
    'Dal 12 gen. 2026 al 3 mar. 2026.',
    'Aspetta 5 min.',
    'Poi mangia.',
  ],
  nl: [
    'Dhr. Jansen, mevr. Smit en prof. dr. Vos zijn er.',
    'Zie hfst. 4, blz. 5 en art. 3.',
    'Brief t.a.v. Jan, o.a. Piet.',
    'Min. 2 dagen, op 3 mrt. 2026.',
    'Het begon in 300 n. Chr. en duurt nog.',
    'Neem vitamine C.',
    'Het helpt.',
    'Hij woont in Gent.',
    'Brood enz.',
    'En nu weg.',
  ],
  cy: [
    'Mae’r Parch. Evans a Bnr. Jones yma.',
    'Gweler tud. 5 ar 3 Chwef. 2026.',
    'Ffôn. 5 sydd yma.',
    'Cymerwch fitamin C.',
    'Mae’n helpu.',
    'Bara, etc.',
    'Wedyn ewch.',
  ],
  ar: ['وصل أ.د. محمد.', 'العنوان ص.ب. 123 الرياض.', 'خبز إلخ.', 'ثم ذهب.'],
};

for (const [lang, sentences] of Object.entries(paragraphs)) {
  it(`abbreviations of pages in "${lang}" end no sentence, and each true end of one does`, async () => {
    const root = await fixture(html`<p lang=${lang}>${sentences.join(' ')}</p>`);
    const reader = new PageReader({ host: document.body, target: root, glossary: null, changed: () => {} });
    await reader.read();
    reader.close();
    expect(reader.sentences.map(({ text }) => text)).to.deep.equal(sentences);
  });
}
