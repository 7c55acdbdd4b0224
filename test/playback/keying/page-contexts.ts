// The WebGL contexts that a page was given since this was loaded, for keyed pictures paint with one that is on no page. By
// weak references, because a context keeps its canvas.

const given: WeakRef<WebGL2RenderingContext>[] = [];
const all = (): WebGL2RenderingContext[] => given.flatMap((ref) => ref.deref() ?? []);
const { getContext } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: [string]) {
  const context = Reflect.apply(getContext, this, args) as RenderingContext | null;
  if (context instanceof WebGL2RenderingContext && !all().includes(context)) given.push(new WeakRef(context));
  return context;
} as typeof getContext;

/** Those that were neither given back nor taken away. */
export const openContexts = (): WebGL2RenderingContext[] =>
  all().filter((context) => !context.isContextLost());

/** Takes the page's only one away, as a browser does, and tells it; the returned function gives it back. */
export async function loseContext(): Promise<() => void> {
  const [context, ...others] = openContexts();
  if (!context || others.length > 0) throw new Error(`${openContexts().length} contexts are open`);
  const lose = context.getExtension('WEBGL_lose_context')!;
  // It can be given back once all have been told, in a task of its own.
  const told = new Promise((settle) =>
    context.canvas.addEventListener('webglcontextlost', () => setTimeout(settle), { once: true }),
  );
  lose.loseContext();
  await told;
  return () => lose.restoreContext();
}
