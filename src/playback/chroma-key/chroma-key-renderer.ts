// Removes the backplate from video frames by WebGL2, with one renderer for all canvases of a page.
// - A pixel within the noise of the backplate is backplate; 0.12 (distance in RGB, each channel 0 to 1) farther it is signer.
//   Between the two the edge is soft, and the backplate's part of the colour is subtracted.
// - Spill of a red, green or blue backplate is removed: no pixel has more of that channel than of both others.
// - A browser allows a page about 16 WebGL contexts and drops the oldest, so all canvases share one context, which is
//   released with the last user. A lost context is restored by the browser; until then nothing is drawn.
import type { Backplate, Rgb } from './backplate.ts';

const SOFT_EDGE = 0.12;
/** Added to the spread of the backplate: coding noise around movement. */
const NOISE = 0.04;
/** A backplate spills light when one channel exceeds both others by this. */
const SPILL_THRESHOLD = 0.15;

const VERTEX = `#version 300 es
out vec2 at;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  at = vec2(corner.x, 1.0 - corner.y);
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}`;

/** The output is premultiplied. */
const FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform vec3 backplate;
uniform vec3 spill;
uniform vec2 edge;
uniform float opacity;
in vec2 at;
out vec4 colour;
void main() {
  vec3 seen = texture(picture, at).rgb;
  float away = distance(seen, backplate);
  float cover = smoothstep(edge.x, edge.y, away);
  vec3 own = clamp(seen - (1.0 - cover) * backplate, 0.0, cover);
  vec3 others = own * (1.0 - spill);
  float light = max(0.0, dot(own, spill) - max(others.r, max(others.g, others.b)));
  colour = vec4(own - light * spill, cover) * opacity;
}`;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Draws videos without their backplate on one canvas. */
export class ChromaKeyRenderer {
  readonly #canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #uniforms: Readonly<
    Record<'backplate' | 'spill' | 'edge' | 'opacity', WebGLUniformLocation | null>
  >;

  /** @throws Error without WebGL2, or when the context was lost */
  constructor(canvas: HTMLCanvasElement) {
    const gl = canvas.getContext('webgl2', { antialias: false, depth: false, powerPreference: 'low-power' });
    if (!gl) throw new Error('no WebGL2');
    this.#canvas = canvas;
    this.#gl = gl;
    const program = createProgram(gl);
    gl.useProgram(program);
    const uniform = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
    this.#uniforms = {
      backplate: uniform('backplate'),
      spill: uniform('spill'),
      edge: uniform('edge'),
      opacity: uniform('opacity'),
    };
    bindTexture(gl);
    gl.blendFunc(gl.ONE, gl.ONE);
  }

  /**
   * Uploads what a video shows now.
   * @throws DOMException `SecurityError` when its host does not allow scripts to read it (CORS)
   */
  upload(video: HTMLVideoElement): void {
    const gl = this.#gl;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, video);
  }

  /** Draws the uploaded picture without its backplate, in this size. */
  draw(backplate: Backplate, opacity: number, { width, height }: Size): void {
    const canvas = this.#canvas;
    if (canvas.width < width) canvas.width = width;
    if (canvas.height < height) canvas.height = height;
    this.#gl.viewport(0, 0, width, height);
    this.#gl.disable(this.#gl.BLEND);
    this.#draw(backplate, opacity);
  }

  /** Adds the uploaded picture to what was drawn last. */
  blend(backplate: Backplate, opacity: number): void {
    this.#gl.enable(this.#gl.BLEND);
    this.#draw(backplate, opacity);
  }

  /** Copies what was drawn in this task to a canvas of the size that was drawn. */
  copyTo(context: CanvasRenderingContext2D): void {
    const { width, height } = context.canvas;
    context.globalCompositeOperation = 'copy';
    context.drawImage(this.#canvas, 0, this.#canvas.height - height, width, height, 0, 0, width, height);
  }

  /** Releases the WebGL context at once. */
  release(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  #draw({ colour, spread }: Backplate, opacity: number): void {
    const gl = this.#gl;
    const uniforms = this.#uniforms;
    const inner = NOISE + spread;
    gl.uniform3f(uniforms.backplate, ...colour);
    gl.uniform3f(uniforms.spill, ...spillOf(colour));
    gl.uniform2f(uniforms.edge, inner, inner + SOFT_EDGE);
    gl.uniform1f(uniforms.opacity, opacity);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}

/** 1 for the channel that the backplate spills, 0 for the others. */
function spillOf([red, green, blue]: Rgb): Rgb {
  const of = (one: number, other: number, third: number): number =>
    one - Math.max(other, third) > SPILL_THRESHOLD ? 1 : 0;
  return [of(red, green, blue), of(green, red, blue), of(blue, red, green)];
}

function createProgram(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error('the context is lost');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program) ?? 'the shader does not run here');
  }
  return program;
}

/** Binds a texture of any size with linear filtering, clamped to its edge. */
function bindTexture(gl: WebGL2RenderingContext): void {
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}

export interface RendererUser {
  /** The WebGL context was lost. */
  lost(): void;
  /** The context is back. */
  restored(): void;
}

const rendererUsers = new Set<RendererUser>();
let shared: ChromaKeyRenderer | null = null;
/** Aborted when the last user leaves, and then set to null, because an abort reason keeps a stack and what that refers to. */
let sharing: AbortController | null = null;

/** The one renderer of the page; null while its context is lost, and without users. */
export const sharedRenderer = (): ChromaKeyRenderer | null => shared;

/** Uses the shared renderer from now on. @returns false without WebGL2 */
export function joinRenderer(user: RendererUser): boolean {
  if (rendererUsers.size === 0 && !openShared()) return false;
  rendererUsers.add(user);
  return true;
}

export function leaveRenderer(user: RendererUser): void {
  if (!rendererUsers.delete(user) || rendererUsers.size > 0) return;
  sharing?.abort();
  sharing = null;
  shared?.release();
  shared = null;
}

function openShared(): boolean {
  const canvas = document.createElement('canvas');
  if (!createOn(canvas)) return false;
  sharing = new AbortController();
  const { signal } = sharing;
  const lost = (event: Event): void => {
    // Without this the browser never restores the context.
    event.preventDefault();
    shared = null;
    for (const user of rendererUsers) user.lost();
  };
  const restored = (): void => {
    // It may be lost again at once, and then be restored once more.
    if (createOn(canvas)) for (const user of rendererUsers) user.restored();
  };
  canvas.addEventListener('webglcontextlost', lost, { signal });
  canvas.addEventListener('webglcontextrestored', restored, { signal });
  return true;
}

function createOn(canvas: HTMLCanvasElement): boolean {
  try {
    shared = new ChromaKeyRenderer(canvas);
    return true;
  } catch {
    return false;
  }
}
