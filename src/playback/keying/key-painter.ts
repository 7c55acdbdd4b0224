// Takes the plate out of one picture after the other, by WebGL2. Policy: what is as far from the plate as its own noise is
// plate, 0.12 of RGB's unit cube farther it is signer, and in between the edge is soft: there the plate's share is taken out
// of the colour. What light a red, green or blue plate sheds on the signer goes too: nothing is more of that than of both
// others, as it is done everywhere; who stands before green does not wear it. Pictures of all sizes are painted on one
// canvas, which is as large as the largest and on no page, and shown on canvases of their own.
import type { Plate, Rgb } from './plate.ts';

const SOFT = 0.12;
/** Beyond the plate's own spread: the noise of coding where something moves. */
const NOISE = 0.04;
/** How much more of one channel than of both others a plate has whose light is seen. */
const COLOURFUL = 0.15;

const VERTEX = `#version 300 es
out vec2 at;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  at = vec2(corner.x, 1.0 - corner.y);
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}`;

/** What comes out is premultiplied. */
const FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform vec3 plate;
uniform vec3 shed;
uniform vec2 edge;
uniform float share;
in vec2 at;
out vec4 colour;
void main() {
  vec3 seen = texture(picture, at).rgb;
  float away = distance(seen, plate);
  float cover = smoothstep(edge.x, edge.y, away);
  vec3 own = clamp(seen - (1.0 - cover) * plate, 0.0, cover);
  vec3 others = own * (1.0 - shed);
  float light = max(0.0, dot(own, shed) - max(others.r, max(others.g, others.b)));
  colour = vec4(own - light * shed, cover) * share;
}`;

interface Size {
  readonly width: number;
  readonly height: number;
}

export class KeyPainter {
  readonly #canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #uniforms: Readonly<Record<'plate' | 'shed' | 'edge' | 'share', WebGLUniformLocation | null>>;

  /** @throws Error where there is no WebGL2, or it is just lost */
  constructor(canvas: HTMLCanvasElement) {
    const gl = canvas.getContext('webgl2', { antialias: false, depth: false, powerPreference: 'low-power' });
    if (!gl) throw new Error('no WebGL2');
    this.#canvas = canvas;
    this.#gl = gl;
    const program = programOf(gl);
    gl.useProgram(program);
    const uniform = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
    this.#uniforms = {
      plate: uniform('plate'),
      shed: uniform('shed'),
      edge: uniform('edge'),
      share: uniform('share'),
    };
    bindTexture(gl);
    gl.blendFunc(gl.ONE, gl.ONE);
  }

  /**
   * Takes over what a video shows now.
   * @throws DOMException `SecurityError` when its host lets no script read it
   */
  take(video: HTMLVideoElement): void {
    const gl = this.#gl;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, video);
  }

  /** Paints that much of the picture without the plate, in pixels of this size. */
  paint(plate: Plate, share: number, { width, height }: Size): void {
    const canvas = this.#canvas;
    if (canvas.width < width) canvas.width = width;
    if (canvas.height < height) canvas.height = height;
    this.#gl.viewport(0, 0, width, height);
    this.#gl.disable(this.#gl.BLEND);
    this.#draw(plate, share);
  }

  /** Adds that much of it to what was painted last. */
  add(plate: Plate, share: number): void {
    this.#gl.enable(this.#gl.BLEND);
    this.#draw(plate, share);
  }

  /** Shows what was painted in this task, on a canvas of the size that was painted. */
  show(context: CanvasRenderingContext2D): void {
    const { width, height } = context.canvas;
    context.globalCompositeOperation = 'copy';
    context.drawImage(this.#canvas, 0, this.#canvas.height - height, width, height, 0, 0, width, height);
  }

  /** Gives the context back at once. */
  release(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  #draw({ colour, spread }: Plate, share: number): void {
    const gl = this.#gl;
    const uniforms = this.#uniforms;
    const inner = NOISE + spread;
    gl.uniform3f(uniforms.plate, ...colour);
    gl.uniform3f(uniforms.shed, ...shedBy(colour));
    gl.uniform2f(uniforms.edge, inner, inner + SOFT);
    gl.uniform1f(uniforms.share, share);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}

/** 1 for the channel that a plate sheds, 0 for the others. */
function shedBy([red, green, blue]: Rgb): Rgb {
  const of = (one: number, other: number, third: number): number =>
    one - Math.max(other, third) > COLOURFUL ? 1 : 0;
  return [of(red, green, blue), of(green, red, blue), of(blue, red, green)];
}

function programOf(gl: WebGL2RenderingContext): WebGLProgram {
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

/** Binds a texture that is read between its pixels and not beyond its edge; of any size. */
function bindTexture(gl: WebGL2RenderingContext): void {
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}
