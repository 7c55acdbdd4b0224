// Finished files on the media origin. Policy: each address is presigned by itself (document 3: a signed URL, valid 5 minutes
// from issue); bytes under a name never change.
import type { SandboxClock } from '../clock.ts';
import type { ClipStore } from './clip-store.ts';
import { notFound, type MediaRoute } from './media-route.ts';
import { isPresigned } from './presigned-url.ts';

const clipPath = /^\/clips\/([0-9a-f]{32})[-.]/;

/** @param secret of the presigned URLs */
export function clipRoute(
  clips: Pick<ClipStore, 'named'>,
  { clock, secret }: { readonly clock: SandboxClock; readonly secret: string },
): MediaRoute {
  return {
    owns: (path) => clipPath.test(path),
    permits: (url) => isPresigned(secret, url, clock.now()),
    file({ pathname }) {
      const media = clips.named(clipPath.exec(pathname)?.[1] ?? '');
      const file = media?.files.find(({ path }) => path === pathname);
      if (!media || !file) return notFound;
      const { type } = media;
      return { type, bytes: file.bytes, cacheControl: 'private, max-age=300', tag: media.name };
    },
  };
}
