// The WebGL contexts that a page was given since this was loaded, for keyed pictures paint with one that is on no page.

const given: WebGL2RenderingContext[] = [];
const { getContext } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: [string]) {
  const context = Reflect.apply(getContext, this, args) as RenderingContext | null;
  if (context instanceof WebGL2RenderingContext && !given.includes(context)) given.push(context);
  return context;
} as typeof getContext;

/** Those that were neither given back nor taken away. */
export const openContexts = (): WebGL2RenderingContext[] =>
  given.filter((context) => !context.isContextLost());

/** Takes the page's only one away, as a browser does; the returned function gives it back. */
export function loseContext(): () => void {
  const [context, ...others] = openContexts();
  if (!context || others.length > 0) throw new Error(`${openContexts().length} contexts are open`);
  const lose = context.getExtension('WEBGL_lose_context')!;
  lose.loseContext();
  return () => lose.restoreContext();
}
