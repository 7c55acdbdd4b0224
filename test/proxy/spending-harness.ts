// Paid requests for tests of spending, and what the metrics of a proxy say that its site has spent.
import type { MountedProxy } from './mounted-proxy.ts';

/** The total of the only site; 0 when the metrics do not name it. */
export async function spentBy(
  { origin }: Pick<MountedProxy, 'origin'>,
  what: 'video_seconds' | 'characters',
): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(
    new RegExp(`^sign_proxy_${what}_total\\{site="\\w+"\\} (\\S+)$`, 'm').exec(metrics)?.[1] ?? 0,
  );
}

/** A paid request for this text. */
export const generate = (
  { origin }: Pick<MountedProxy, 'origin'>,
  data = 'Hello.',
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(`${origin}/sign/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: { data } }),
    ...(signal && { signal }),
  });
