// The one page, under every path: the greediest neighbour that the proxy can have.
import { createElement as h } from 'react';

export const dynamic = 'force-dynamic';

export default async function Page({ params }) {
  const { slug = [] } = await params;
  return h('h1', null, `Page of the host: ${['', ...slug].join('/') || '/'}`);
}
