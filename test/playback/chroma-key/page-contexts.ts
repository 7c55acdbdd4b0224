// Lists the WebGL contexts that were created since this module was loaded: the canvas of the renderer is in no document, so no
// query finds it.
// - The references are weak, because a context keeps its canvas in memory.

const given: WeakRef<WebGL2RenderingContext>[] = [];
const all = (): WebGL2RenderingContext[] => given.flatMap((ref) => ref.deref() ?? []);
const { getContext } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: [string]) {
  const context = Reflect.apply(getContext, this, args) as RenderingContext | null;
  if (context instanceof WebGL2RenderingContext && !all().includes(context)) given.push(new WeakRef(context));
  return context;
} as typeof getContext;

/** The contexts that are neither released nor lost. */
export const openContexts = (): WebGL2RenderingContext[] =>
  all().filter((context) => !context.isContextLost());

/** Loses the only context of the page, as a browser does; the returned function restores it. */
export async function loseContext(): Promise<() => void> {
  const [context, ...others] = openContexts();
  if (!context || others.length > 0) throw new Error(`${openContexts().length} contexts are open`);
  const lose = context.getExtension('WEBGL_lose_context')!;
  // The context can be restored only in a task after the event.
  const lost = new Promise((settle) =>
    context.canvas.addEventListener('webglcontextlost', () => setTimeout(settle), { once: true }),
  );
  lose.loseContext();
  await lost;
  return () => lose.restoreContext();
}
