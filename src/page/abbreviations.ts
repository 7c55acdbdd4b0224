// Tells whether a full stop is that of an abbreviation, an initial or a number, and so ends no sentence.
// - An abbreviation that is a word in no language counts in every language. One that is a word in another language ("on.", "me.")
//   counts in its own language only.
// - An abbreviation that may end a sentence, as "U.S." or "vitamin C.", ends one before a word that begins many sentences of the
//   language.
// - `Intl.Segmenter` itself ends no sentence before a small letter, so that case is not handled here.

/** Matches a last word with its full stop, also after a bracket, an article (dell’art.) or another word (Dr.-Ing.), not AT&T. */
const word = (forms: string, flags = 'u'): RegExp =>
  new RegExp(`(?:^|\\.-|[(['’“„«])(?:${forms})\\.$`, flags);
const first = (words: string): RegExp => new RegExp(`^[ "'“‘(]*(?:${words})(?![\\p{L}.-])`, 'u');

/** Abbreviations that do not end a sentence, in every language. */
const ABBREVIATION = word(
  'N\\.B|P\\.S|Mrs?|Ms|Messrs|Dra?|[Pp]rofa?|Rev|Sen|Rep|Cllrs?|Sgt|Lt|Maj|Cpl|Col|Gen|Capt|Cmdr|Adm|Gov|Pres|Supt|Insp|Asst|Hon|Mt|vs?|[Vv]gl|[Cc]fr?|' +
    '[Aa]pprox|Avg|a\\.k\\.a|viz|[Ii]n[ck]l|[Ee]x[ck]l|Nr|Art|Fig|vol|e\\.g|i\\.e|z\\.B|d\\.h|h\\.c|[Cc]a|bzw|sog|geb|[Gg]gf|[Ee]vtl|[Zz]zgl|lt|Hr|' +
    'Hrsg|med|Mio|Mrd|p\\.ej|EE|RR|JJ|CC|Mme|Mlle|Mgr|Ste|Sra?s?|Sres|Dña|Gral|Avda|Ntra|Exc?m[oa]s?|Ilm[oa]|Arq|Sigg?|Dott|' +
    'Avv|Spett|Egr|Vit|[Dd]hr|[Mm]evr|[Dd]rs|Parch',
);

/** The same in one language. */
const ABBREVIATIONS: Readonly<Record<string, RegExp>> = {
  de: word(
    // No German word of small letters ends in these sounds: amtl., ausschl., bzgl., engl., öffentl.
    '\\p{Ll}+(?:[bdgnrtz]|sch)l|[dsuvz]|Abg|allg|Aufl|Az|bes|betr|Bsp|Dipl\\.-\\p{L}+|[Dd]t|ehem|entspr|evg?|Fam?|Frl|Geb|gem|gest|H[dglr]n?|Ing|' +
      'Inh|insbes|kath|lfd|max|mind|Mill|Pck|stv|stellv|städt|urspr|verh|versch|zust',
  ),
  fr: word('M|MM|Me|Pr|(?:p\\.)?ex|[Aa]v|[Bb]d|[ÉEé]d|Dir|apr?|[Ee]nv|boul'),
  es: word('Lic|Ing|[Aa]v|Pza|St[oa]|Hnos|Fdo|Cap|Dir|FF'),
  pt: word('Eng|St[oa]|[Aa]v|Pç|Dir|Cel|Pe|Min|Cap'),
  it: word('Ing|Arch|Geom|Rag|On|Min|Dir|Cav|Ill|Gent|Mons'),
  nl: word(
    'mw|mej|ir|ing|dr|prof|ds|fam|gem|bijv|t\\.a\\.v|o\\.a|m\\.[bu]\\.[tv]|n\\.a\\.v|d\\.d|resp',
    'iu',
  ),
  cy: word('Bnr|Cyng|Gw|e\\.e|h\\.y'),
  // In these forms they are no words, but for "im.", which ends few sentences.
  pl: word('godz|ul|pl|św|ks|inż|hab|mgr|mec|gen|im|pt|m\\.in|np|tzw|zob|por', 'iu'),
};

/** Abbreviations that end a sentence only when the next word begins many sentences. */
const UNCERTAIN = word(
  'St|Ave|Blvd|Jr|Inc|Ltd|Co|Corp|al|ff|[Dd]ept|[Gg]ovt|Univ|Bros|Ft|Ph\\.D|(?:[\\p{Lu}\\p{Lo}]\\.)*[\\p{Lu}\\p{Lo}]',
);
const ENGLISH = first(
  'The|This|That|These|Those|Then|There|They|It|S?He|We|You|I|An?|His|Her|Our|My|Your|In|On|At|As|If|When|While|But|And|Or|So|' +
    'For|From|To|With|After|Before|No|Not|What|Who|Why|How|Is|Are|Now|See|Please|Since|Because|However|Some|Many|Most',
);
/** Words that many names begin with are left out: Le, La, De, Lo. */
const BEGINS: Readonly<Record<string, RegExp>> = {
  de: first(
    'D(?:er|ie|as|ies|iese|ieser|ann|abei|amit)|Eine?|Es|Er|Sie|Wir|Wenn|Im|In|Am|Bei|Für|Mit|Nach|Auch|Bitte',
  ),
  fr: first(
    "Les|Un|Une|Ils?|Elles?|On|Nous|Vous|Ce|Cette|Ces|Cela|Si|Pour|Dans|En|Puis|Mais|Votre|Vos|Lorsque|[CL][’']\\p{L}+",
  ),
  es: first('El|Los|Las|La|Una?|Es|Se|Si|En|Para|Por|Pero|Est[ea]|Su|También|Con|Puede|Después|No'),
  pt: first('O|A|Os|As|Uma?|É|Se|Em|Para|Por|Mas|Est[ea]|Não|Com|Pode|Depois|Também'),
  it: first("Il|I|Gli|Una?|È|Se|In|Per|Ma|Quest[oaie]|Non|Con|Può|Poi|Anche|[CL][’']\\p{L}+"),
  nl: first('Het|Een|U|Je|Dit|Dat|Als|In|Voor|Maar|Ook|Bij|Wij|We|Er|Met|Daarna|Deze'),
  cy: first("Mae|Yn|Yr?|Os|Bydd|Gallwch|Gall|Ond|Pan|Dyma|Nid|Er|Wedyn|Mae[’']r"),
};

const TIME = /^[ap]\.m\.$/;
const DAY_OR_ZONE = /^ *(?:\p{L}{3,6}day|[A-Z]{1,3}T)\b/u;

/** A small letter beside another letter is an abbreviation ("z. B.", "u. a."); otherwise it is a word of its own ("option a."). */
const SMALL_LETTER = /(?:^|\()\p{Ll}\.$/u;
const LETTER_BEFORE = /(?:^|[ (])\p{L}\. \p{Ll}\.$/u;
/** „300 n. Chr.“, «s. XIX» */
const LETTER_AFTER = /^(?:\p{L}\.|Chr\.|[IVX]{2,}(?!\p{L}))/u;

/** Abbreviations that do not end a sentence when a number follows: p. 12, sec. 4, 12 janv. 2026. */
const BEFORE_NUMBER = word(
  'pp?|pgs?|p[aá]gs?|pagg|bl|blz|tud|tt|nos?|(?:.*-)?nr|n|núm|rhif|chs?|chap|[ck]ap|hfst|vol|bd|aufl|jg|reg|secs?|sez|ziff|zi|gl|paras?|par|párr|abs|an[lm]|' +
    'arts?|artt|cl|co|t[eé]l|tfno|ffôn|fax|ext|r[eé]f|rif|cyf|ver|est|c|m[aá]x|m[ií]n|mind|temp|aprox|env|ong|rd|figs?|abb|afb|tab|eq|apt|bldg|rm|' +
    '\\p{L}*str|apdo|de?pto|kto|std|stk|ft|lbs?|hrs?|mins|janv?|ene|ion|feb(?:br)?|f[eé]vr?|chwef|mrt|a[bpv]r|ebr|meh|jun|jui?l|' +
    'gorff|aug|ago|sept?|o[ckt]t|hyd|nov|tach|d[eé]c|dez|dic|rhag',
  'iu',
);
/** The same, only when they begin with a capital; with a small letter they are words: “We sat. 5 came.” */
const CAPITAL_BEFORE_NUMBER = word(
  '(?:\\S+[-–/])?(?:S|Mar|Mon|Tues?|Wed|Thurs?|Fri|Sat|Sun|Mo|Di|Mi|Do|Fr|Sa|So)',
);
/** Months that are words too ("el mar."): only a year shows that it is one. */
const MONTH = /^(?:es (?:mar|may)|it (?:gen|mar|mag|giu|lug|set)|pt (?:mar|mai|set|out))\.$/i;
const YEAR_AFTER = /^\s*20\d\d/;
const NUMBER_AFTER = /^\s*(?:[−+(]{0,2}\d|§|N[or]\.|\p{Lu}\. *(?:\d|$)|[IVX]{2,}(?!\p{L}))/u;

/**
 * „am 3. Mai“: a number of one or two digits with a full stop is an ordinal in these languages; not after „Bd.“ and the like, in
 * a fraction, and before a word that begins sentences.
 */
const ORDINAL = /(?:^|\.\/|[ (–-])\d{1,2}\.$/;
const COUNTED = /^\(?(?:S\.|§|[Nn]r|Absatz|Artikel|Band|Kapitel|Nummer|Seite|Teil)$/;
const WITH_ORDINALS = /^(?:de|da|n[bno]|fi|cs|sk|pl|hu|hr|sl|et|lv|tr)$/;

/** The number or letter of a heading, a caption, a paragraph of a law or an item of a list: it belongs to what follows. */
const NUMBER =
  /^ *(?:(?:Table|Fig\.|Figure|Chapter|Part|Tabelle|Abb\.|Abbildung|Kapitel|Teil) )?\(?(?:[\d.]+|[IVX]+|\p{L})[.)]$/u;

export const lastWord = (text: string): string => /\S*$/.exec(text)![0];

/** True when `text` ends in a full stop that ends no sentence before `next`. */
export function isAbbreviated(text: string, next: string, lang: string): boolean {
  const last = lastWord(text);
  const language = lang.split('-', 1)[0]!.toLowerCase();
  if (ABBREVIATION.test(last) || ABBREVIATIONS[language]?.test(last) || NUMBER.test(text)) return true;
  if (UNCERTAIN.test(last)) return !(BEGINS[language] ?? ENGLISH).test(next);
  if (TIME.test(last)) return DAY_OR_ZONE.test(next);
  if ((BEFORE_NUMBER.test(last) || CAPITAL_BEFORE_NUMBER.test(last)) && NUMBER_AFTER.test(next)) return true;
  if (MONTH.test(`${language} ${last}`) && YEAR_AFTER.test(next)) return true;
  if (ORDINAL.test(text) && WITH_ORDINALS.test(language)) {
    const before = lastWord(text.replace(ORDINAL, ''));
    return !BEGINS[language]?.test(next) && !BEFORE_NUMBER.test(before) && !COUNTED.test(before);
  }
  return SMALL_LETTER.test(last) && (LETTER_AFTER.test(next) || LETTER_BEFORE.test(text));
}
