// A page with a signer: attributes, an object property, events and a reference.
import { Component, CUSTOM_ELEMENTS_SCHEMA, type ElementRef, signal, viewChild } from '@angular/core';
import 'sign-elements/define';
import type { SignEventMap, SignTranslate } from 'sign-elements';

@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main id="news">
      <h1>News</h1>
      <p>The library opens at nine.</p>
    </main>
    <sign-translate
      #signer
      for="news"
      controls
      idle-after="none"
      [signer]="name()"
      [generateOptions]="options"
      (sign-end)="ended($event)"
    ></sign-translate>
    <button id="sign" (click)="welcome()">Sign a welcome</button>
    <button id="swap" (click)="name.set('JAY')">Another signer</button>
    <output>{{ signed() }}</output>
  `,
})
export class App {
  protected readonly options = { tone: 'calm' };
  protected readonly name = signal('RAE');
  protected readonly signed = signal('');
  private readonly signer = viewChild.required<ElementRef<SignTranslate>>('signer');

  protected ended({ detail }: SignEventMap['sign-end']): void {
    this.signed.set(detail.text);
  }

  protected welcome(): void {
    void this.signer().nativeElement.sign('Welcome.');
  }
}
