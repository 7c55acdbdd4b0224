// The only page, which Next serves at every path: the routes of the proxy must still be reached.
import { createElement as h } from 'react';

export const dynamic = 'force-dynamic';

export default async function Page({ params }) {
  const { slug = [] } = await params;
  return h('h1', null, `Page of the host: ${['', ...slug].join('/') || '/'}`);
}
