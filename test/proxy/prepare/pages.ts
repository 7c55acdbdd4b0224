// Typical pages of sites, each with the sentences that both the reader in the browser and the reader of sign-prepare must find.

interface ReadPage {
  readonly name: string;
  /** The content of the body. */
  readonly html: string;
  readonly texts: readonly string[];
}

const lead = '<h1>Bins</h1>';

export const pages: readonly ReadPage[] = [
  {
    name: 'a notice of a council with inline marks',
    html: `${lead}<p>We collect your <b>blue bin</b> on <time>Monday</time>. Put it out by 7&nbsp;a.m. Dr. Lee is away.</p>`,
    texts: ['Bins', 'We collect your blue bin on Monday.', 'Put it out by 7 a.m.', 'Dr. Lee is away.'],
  },
  {
    name: 'lists in lists',
    html: '<p>Bring:</p><ul><li>a letter<li>your <em>pills</em><ol><li>morning<li>night</ol></ul>',
    texts: ['Bring:', 'a letter', 'your pills', 'morning', 'night'],
  },
  {
    name: 'a table of opening hours',
    html: '<table><caption>Hours</caption><thead><tr><th>Day<th>From</thead><tbody><tr><td>Monday<td>9<tr><td>Friday</td><td><p>10</p><p>or 11</p></td></tbody></table>',
    texts: ['Hours', 'Day, From', 'Monday, 9', 'Friday, 10, or 11'],
  },
  {
    name: 'navigation, buttons and fields',
    html: '<nav>Home</nav><p>Ask us.</p><button>Send</button><form><label>Name <input value="x"></label><select><option>One</select></form><div role="search">Find</div>',
    texts: ['Ask us.', 'Name'],
  },
  {
    name: 'texts for screen readers, hidden by style',
    html: '<style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}.gone{display:none}.unseen{visibility:hidden}</style><p>Read this<span class="sr-only"> aloud</span>.</p><p class="gone">Not this.</p><p class="unseen">Nor this <b>one</b>.</p>',
    texts: ['Read this.'],
  },
  {
    name: 'a visible part of an invisible one',
    html: '<style>.off{visibility:hidden}.on{visibility:visible}</style><div class="off">Away. <span class="on">Here.</span></div>',
    texts: ['Here.'],
  },
  {
    name: 'details that are closed and open',
    html: '<details><summary>More</summary><p>Hidden.</p></details><details open><summary>Less</summary><p>Shown.</p></details>',
    texts: ['More', 'Less', 'Shown.'],
  },
  {
    name: 'definitions and a quotation',
    html: '<dl><dt>BSL<dd>A language.<dt>GP<dd>A doctor.</dl><blockquote>“Come in!” she said. “Sit.”</blockquote>',
    texts: ['BSL', 'A language.', 'GP', 'A doctor.', '“Come in!” she said.', '“Sit.”'],
  },
  {
    name: 'figures with captions and pictures',
    html: '<figure><img alt="A map"><figcaption>The way to us.</figcaption></figure><picture><img alt=""></picture><svg><text>no</text></svg>',
    texts: ['The way to us.'],
  },
  {
    name: 'lines of an address',
    html: '<address>Town Hall<br>High Street<br>Leeds</address><p>Call <a href="tel:1">0113 1</a><br><br>or write.</p>',
    texts: ['Town Hall', 'High Street', 'Leeds', 'Call 0113 1', 'or write.'],
  },
  {
    name: 'words of the author for the signer',
    html: '<p data-sign-text="The office is closed.">Closed (see §4).</p><p data-sign-skip>Ref 12.</p><p>See <abbr data-sign-text="the doctor">GP</abbr> first.</p>',
    texts: ['The office is closed.', 'See the doctor first.'],
  },
  {
    name: 'code, formulas and embedded things',
    html: '<p>Type <code>npm i</code> now.</p><pre>x = 1</pre><math><mi>x</mi></math><iframe title="Map">no</iframe><noscript>no</noscript><template><p>no</p></template>',
    texts: ['Type npm i now.', 'x'],
  },
  {
    name: 'a verse, and code in the same font as its page',
    html: '<style>.verse{font:1rem/1.5 Georgia,serif}.lines{white-space:pre-line}</style><div style="font-family:Arial"><pre class="verse">Rough winds do shake\nthe darling buds of May.\n\nSo <i>long\nLives</i> this.</pre><pre>x = 1</pre><p class="lines">High Street\nLeeds</p><p>Low\nStreet</p></div>',
    texts: [
      'Rough winds do shake the darling buds of May.',
      'So long',
      'Lives this.',
      'High Street',
      'Leeds',
      'Low Street',
    ],
  },
  {
    name: 'German with abbreviations',
    html: '<div lang="de"><p>Das gilt z.B. am Montag. Kommen Sie um 8 Uhr.</p></div>',
    texts: ['Das gilt z.B. am Montag.', 'Kommen Sie um 8 Uhr.'],
  },
  {
    name: 'flexible boxes of spans',
    html: '<style>.row{display:flex}.chip{display:inline-block}</style><div class="row"><span>Left</span><span>Right</span></div><p>Main<i style="float: right">Aside</i></p><p><span class="chip">One</span> <span class="chip">Two</span></p>',
    texts: ['Left Right', 'Main', 'Aside', 'One Two'],
  },
  {
    name: 'flexible columns, days of a month and lines of spans',
    html: '<style>.side{display:flex}.below{display:flex;flex-direction:column}.line{display:block}</style><div class="below"><a>Tax</a><a>Bins</a></div><div class="side"><div>24</div><div>Nov</div></div><div class="below"><span>25</span><span>Nov</span></div><h2><span class="line">All about</span><span class="line">the river</span></h2>',
    texts: ['Tax', 'Bins', '24 Nov', '25 Nov', 'All about the river'],
  },
  {
    name: 'text beside blocks',
    html: 'Before<div>Inside</div>After<section><h2>Title</h2>Text without a paragraph. More.</section>',
    texts: ['Before', 'Inside', 'After', 'Title', 'Text without a paragraph.', 'More.'],
  },
  {
    name: 'aria-hidden and hidden parts',
    html: '<p>Rated <span aria-hidden="true">★★★</span> good.</p><p hidden>Away.</p><div aria-hidden="true"><p>Away.</p></div>',
    texts: ['Rated good.'],
  },
  {
    name: 'soft hyphens, entities and odd spaces',
    html: '<p>Kinder&shy;garten &amp; school&#8239;: 5&thinsp;km.\n\t Ok?</p><p>…</p><p>— 7 —</p>',
    texts: ['Kindergarten & school : 5 km.', 'Ok?', '— 7 —'],
  },
  {
    name: 'a media query for small and for printed pages',
    html: '<style>@media print{.screen{display:none}}@media (max-width:10px){.wide{display:none}}</style><p class="screen">On screen.</p><p class="wide">Wide.</p>',
    texts: ['On screen.', 'Wide.'],
  },
  {
    name: 'display: contents and inline blocks of a design system',
    html: '<style>.c{display:contents}.b{display:block}</style><div class="c"><p>First.</p></div><p><span class="c">Second</span> part.</p><p><span class="b">Third.</span><span class="b">Fourth.</span></p>',
    texts: ['First.', 'Second part.', 'Third.', 'Fourth.'],
  },
  {
    name: 'a signer and other elements of its kind on the page',
    html: '<sign-translate>no</sign-translate><my-card><h3>Card</h3><p>In a custom element.</p></my-card>',
    texts: ['Card', 'In a custom element.'],
  },
  {
    name: 'a large first letter, a broken line, and texts outside the page',
    html: '<style>.cap{float:left}.away{position:absolute;left:-9999px}.far{position:absolute;top:-999em}</style><p><b class="cap">I</b>t is <span class="away">very</span> big<br>and old. <del>No.</del></p><p class="far">Away.</p>',
    texts: ['It is big and old.'],
  },
];
