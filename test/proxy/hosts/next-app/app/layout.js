// The frame around every page of the smallest Next application.
import { createElement as h } from 'react';

export default function Layout({ children }) {
  return h('html', { lang: 'en' }, h('body', null, children));
}
