// On a page that is sent as XML nothing can be drawn, and the element reports that.
import { expect, fixture, html } from '@open-wc/testing';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import type { SignError } from '../../src/protocol/sign-error.ts';
import { rejection, until } from './harness.ts';

/** From the root, because the test may be compiled into another folder. */
const script = new URL('/src/define/sign-translate.ts', location.href).href;
const page = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A page</title></head><body>
  <sign-translate proxy="https://page.example/sign"></sign-translate>
  <script>
    window.errors = [];
    window.warnings = [];
    console.warn = (line) => window.warnings.push(line);
    addEventListener('sign-error', ({ detail }) => window.errors.push(detail.error));
    import(${JSON.stringify(script)});
  </script>
</body></html>`;

it('an element on a page of application/xhtml+xml shows what is wrong and logs it on the console, and each text rejects', async () => {
  const address = URL.createObjectURL(new Blob([page], { type: 'application/xhtml+xml' }));
  const frame = await fixture<HTMLIFrameElement>(html`<iframe src=${address}></iframe>`);
  const view = frame.contentWindow as Window & { errors?: SignError[]; warnings: string[] };
  const error = await until(() => view.errors?.[0]);
  expect(error).to.include({ code: 'media_error', retryable: false });
  expect(error?.message).to.match(/XHTML/);
  await until(() => view.warnings.find((line) => line.includes('no signer in XHTML')));
  const element = view.document.querySelector<SignTranslate>('sign-translate')!;
  expect(await rejection(element.sign('Hello.'))).to.include({ code: 'media_error' });
  URL.revokeObjectURL(address);
});
