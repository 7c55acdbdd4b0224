// Reads what is to be signed from a page: one item a block, in reading order. Policy: what cannot be seen is not
// signed; `data-sign-skip` and code never are; `data-sign-text` stands for what is written; `data-sign-src`, a video by
// a human signer, wins over the service. Only http(s) videos count; anything else reads as if it were not there.
import { httpUrl } from '../protocol/http-url.ts';

export interface ContentItem {
  readonly text: string;
  /** A human-signed video of it. */
  readonly src: string | null;
}

const NEVER =
  'script, style, template, noscript, code, pre, svg, math, iframe, video, audio, canvas, select, textarea, input, [data-sign-skip], [aria-hidden="true"], [hidden]';

/** The items under `root`, itself included. */
export function readContent(root: Element): ContentItem[] {
  const items: ContentItem[] = [];
  let run = '';
  const flush = (): void => {
    const text = run.replace(/\s+/g, ' ').trim();
    if (text) items.push({ text, src: null });
    run = '';
  };
  const visit = (element: Element): void => {
    if (element.matches(NEVER) || element.localName.startsWith('sign-')) return;
    const { display, visibility } = getComputedStyle(element);
    if (display === 'none' || visibility === 'hidden') return;
    const block = !display.startsWith('inline') && display !== 'contents';
    if (block) flush();
    const signText = element.getAttribute('data-sign-text');
    const signSrc = element.getAttribute('data-sign-src');
    const src = signSrc === null ? null : pageUrl(signSrc);
    if (src !== null) {
      flush();
      items.push({ text: (signText ?? element.textContent ?? '').replace(/\s+/g, ' ').trim(), src });
    } else if (signText !== null) {
      run += ` ${signText} `;
    } else {
      for (const node of element.childNodes) {
        if (node instanceof Text) run += node.data;
        else if (node instanceof Element) visit(node);
      }
    }
    if (block || element.localName === 'br') flush();
  };
  visit(root);
  flush();
  return items;
}

function pageUrl(value: string): string | null {
  try {
    return httpUrl(new URL(value, document.baseURI).href);
  } catch {
    return null;
  }
}
