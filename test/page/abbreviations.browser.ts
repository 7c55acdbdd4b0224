// Abbreviations of government and health pages in the languages of the interface, in Italian and in Dutch.
import { expect, fixture, html } from '@open-wc/testing';
import { read, textsOf } from './page-readers.ts';

/** The sentences of a paragraph in each language. */
const paragraphs: Readonly<Record<string, readonly string[]>> = {
  en: [
    'II. The second part.',
    'See sec. 4 and chap. 4 of vol. II.',
    'Ask the dept. Head spoke to Supt. Jones and Messrs. Smith.',
    'Ring the Dept. of Health on tel. No. 020, ext. 5.',
    'It is 5 ft. 3 in. tall.',
    'Wait 5 min. before you eat.',
    'Min. 2 people.',
    'Incl. VAT.',
    'Excl. Sundays.',
    'Take 5 mg.',
    'Keep it at temp. 5 °C.',
    'N.B. No dogs.',
    'Avg. Age: 40.',
    'Cllrs. Jones and Evans attend.',
    'P.S. Take Vit. D daily.',
    'Ring Tel. (01407) 720 123 or tel. +44 1248 5.',
    'Freeze it at max. -18 °C or min. −30 °C.',
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
    'Dipl.-Ing. Meier und Dr.-Ing. Schulz kamen.',
    'Hrn. Schmidt schrieb die stellv. Leiterin der städt. Kita, Dipl.-Psych. Weber.',
    'Die gesetzl. Kasse zahlt monatl. Beiträge an die ev. Kirche.',
    'Geb. Müller, Abg. Kurz und Inh. Klein klagten unter Az. 5 K 12/20 dagegen.',
    'Ihr geht es wohl.',
    'Das Haus ist voll.',
    'Dann kam Karl.',
    'Im 3. Jh. v. Chr. begann es, 300 n. Chr. endete es.',
    'Siehe Bd. 3.',
    'Danach kommt Kapitel 4.',
    'Danach gilt § 5.',
    'Das steht in Abs. 2.',
    'Min. 2 Tage, max. Dauer 5 Std. am Tag.',
    'Die Fa. Müller, Hauptstr. 5, Kto.-Nr. 7.',
    'Öffnungszeiten: Mo. bis Fr. 9 Uhr.',
    'Di.–Do. 8–16 Uhr, Sa./So. 10 Uhr.',
    'Die dt. Regierung sagt das.',
    'Nimm Vitamin C.',
    'Das hilft gem. Nr. 4.',
    'Warte 5 Min.',
    'Dann iss.',
    'Am 3. Mai kam Ludwig XIV. und ging.',
    'Frei sind der 24./25. Dez. und (25./26. Mai), und die 1.–3. Klasse fährt.',
    'Sa., So. u. Feiertage ab Gl. 4.',
    'Im Dt. Reich gab es öffentl. Stellen, siehe Ziff. 3.',
    'Er nahm die 2. Aufl. Berlin.',
    'Ab d. 3. Mai in Zi. 12.',
    'Ca. 10 Euro.',
    'Inkl. MwSt.',
    'Zzgl. Versand.',
    'Exkl. Porto.',
    'Evtl. Salz und 1 Pck. Backpulver.',
    'Es gelten die §§ 433 ff. BGB.',
    'Lies S. 5 ff.',
    'Das hilft.',
    'Frau Klein z. Hd. Herrn v. Berg: s. Homepage.',
    'Dr. med. dent. Weber und Dr. rer. nat. Klein kamen.',
    'Unter Az. 12/20.',
    'Ihr Brief ist da.',
    'Er ist 12.',
    'Sie ist 10.',
  ],
  fr: [
    'J.-M. Le Clézio parle.',
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
    'Los Excmos. Señores van.',
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
    'Mae’r Parch. Evans, y Cyng. Siân Jones a Bnr. Jones yma.',
    'Gw. Atodiad 2.',
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
    expect(textsOf(await read(root))).to.deep.equal(sentences);
  });
}

it('an abbreviation after a line break ends no sentence, nor does a letter with a mark, as डॉ. in Hindi', async () => {
  const root = await fixture(html`
    <div>
      <p>Yours sincerely,<br />Dr. Jane Smith</p>
      <p lang="hi">डॉ. शर्मा आए। वे गए।</p>
    </div>
  `);
  expect(textsOf(await read(root))).to.deep.equal([
    'Yours sincerely, Dr. Jane Smith',
    'डॉ. शर्मा आए।',
    'वे गए।',
  ]);
});

it('direct speech in Korean stays with the particle after it', async () => {
  const root = await fixture(html`<p lang="ko">김 씨는 "좋아요."라고 말했다. 그는 갔다.</p>`);
  expect(textsOf(await read(root))).to.deep.equal(['김 씨는 "좋아요."라고 말했다.', '그는 갔다.']);
});

it('a number that floats beside a heading is no part of its first word', async () => {
  const root = await fixture(html`<h3><span style="float: left">6</span><span>Disability</span></h3>`);
  expect(textsOf(await read(root))).to.deep.equal(['6 Disability']);
});
