// Draws a layer by WebGL 2: the values as they came in one texture, everything else (window, gamma, colours of a Bayer
// mosaic, false colours, zoom) in the shader, so that changing these needs no new frame.

const VERTEX = `#version 300 es
precision highp float;
in vec2 corner;
uniform vec2 scale;
uniform vec2 shift;
out vec2 place;
void main() {
  place = vec2(corner.x, 1.0 - corner.y);
  gl_Position = vec4((corner * 2.0 - 1.0) * scale + shift, 0.0, 1.0);
}`;

// The colours of Turbo, by polynomials.
export const TURBO = `vec3 turbo(float x) {
  const vec4 r = vec4(0.13572138, 4.61539260, -42.66032258, 132.13108234);
  const vec4 g = vec4(0.09140261, 2.19418839, 4.84296658, -14.18503333);
  const vec4 b = vec4(0.10667330, 12.64194608, -60.58204836, 110.36276771);
  vec4 a = vec4(1.0, x, x * x, x * x * x);
  vec2 c = a.zw * a.z;
  return clamp(vec3(
    dot(a, r) + dot(c, vec2(-152.94239396, 59.28637943)),
    dot(a, g) + dot(c, vec2(4.27729857, 2.82956604)),
    dot(a, b) + dot(c, vec2(-89.90310912, 27.34824973))), 0.0, 1.0);
}`;

/** @param {string} sampler @param {string} read */
const fragment = (sampler, read) => `#version 300 es
precision highp float;
precision highp int;
precision highp ${sampler};
in vec2 place;
out vec4 colour;
uniform ${sampler} pixels;
uniform ivec2 size;
uniform int channels;
uniform int channel;
uniform ivec4 mosaic;
uniform bool hasMosaic;
uniform bool falseColours;
uniform bool swapped;
uniform vec3 window;
vec4 at(ivec2 p) {
  p = clamp(p, ivec2(0), size - 1);
  return ${read};
}
int filterAt(ivec2 p) {
  int i = (p.x & 1) + 2 * (p.y & 1);
  return i == 0 ? mosaic.x : i == 1 ? mosaic.y : i == 2 ? mosaic.z : mosaic.w;
}
// Bilinear: the mean of the neighbours of each colour. Outside of the image the mosaic goes on by reflection.
vec3 demosaic(ivec2 p) {
  vec3 sum = vec3(0.0);
  vec3 count = vec3(0.0);
  int own = filterAt(p);
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      ivec2 q = p + ivec2(dx, dy);
      q = ivec2(q.x < 0 ? 1 : q.x >= size.x ? size.x - 2 : q.x, q.y < 0 ? 1 : q.y >= size.y ? size.y - 2 : q.y);
      int f = filterAt(q);
      if (f == own && (dx != 0 || dy != 0)) continue;
      if (own == 1 && f != 1 && dx != 0 && dy != 0) continue;
      if (own != 1 && f == 1 && dx != 0 && dy != 0) continue;
      sum[f] += at(q).r;
      count[f] += 1.0;
    }
  }
  return sum / max(count, vec3(1.0));
}
${TURBO}
void main() {
  ivec2 p = ivec2(floor(place * vec2(size)));
  vec4 v = at(p);
  vec3 rgb;
  if (hasMosaic) rgb = demosaic(p);
  else if (channels >= 3 && channel < 0) rgb = swapped ? v.bgr : v.rgb;
  else rgb = vec3(channel <= 0 ? v.r : channel == 1 ? v.g : channel == 2 ? v.b : v.a);
  if (rgb.r != rgb.r) { colour = vec4(0.0, 0.0, 0.0, 1.0); return; }
  vec3 level = clamp((rgb - window.x) / max(window.y - window.x, 1e-20), 0.0, 1.0);
  if (window.z != 1.0) level = pow(level, vec3(1.0 / window.z));
  colour = vec4(falseColours ? turbo(level.g) : level, 1.0);
}`;

const COLOURS = { R: 0, G: 1, B: 2 };

/**
 * A program whose attribute 0 is "corner".
 * @param {WebGL2RenderingContext} gl
 * @param {string} vertex
 * @param {string} shade
 */
export function compile(gl, vertex, shade) {
  const program = /** @type {WebGLProgram} */ (gl.createProgram());
  for (const [type, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, shade]])) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(type));
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? 'shader');
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, 'corner');
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? 'program');
  return program;
}

/** One canvas and its textures. */
export class GlView {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext('webgl2', { antialias: false, alpha: false, depth: true });
    if (!gl) throw new Error('This browser has no WebGL 2');
    /** @type {WebGL2RenderingContext} */
    this.gl = gl;
    this.maxSize = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    /** @type {WebGLTexture | null} */
    this.texture = null;
    this.textureKey = '';
    /** @type {import('./types').Layer | null} */
    this.layer = null;
    this.buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
    /** @type {Map<boolean, WebGLProgram>} */
    this.programs = new Map();
  }

  /** @param {boolean} integers */
  program(integers) {
    const known = this.programs.get(integers);
    if (known) return known;
    const { gl } = this;
    const source = integers
      ? fragment('usampler2D', 'vec4(texelFetch(pixels, p, 0))')
      : fragment('sampler2D', 'texelFetch(pixels, p, 0)');
    const program = compile(gl, VERTEX, source);
    this.programs.set(integers, program);
    return program;
  }

  /** @param {import('./types').Layer} layer */
  formats(layer) {
    const { gl } = this;
    const i = layer.channels - 1;
    if (layer.sampleBytes === 4) {
      return {
        internal: [gl.R32F, gl.RG32F, gl.RGB32F, gl.RGBA32F][i],
        format: [gl.RED, gl.RG, gl.RGB, gl.RGBA][i],
        type: gl.FLOAT,
      };
    }
    const short = layer.sampleBytes === 2;
    return {
      internal: short
        ? [gl.R16UI, gl.RG16UI, gl.RGB16UI, gl.RGBA16UI][i]
        : [gl.R8UI, gl.RG8UI, gl.RGB8UI, gl.RGBA8UI][i],
      format: [gl.RED_INTEGER, gl.RG_INTEGER, gl.RGB_INTEGER, gl.RGBA_INTEGER][i],
      type: short ? gl.UNSIGNED_SHORT : gl.UNSIGNED_BYTE,
    };
  }

  /**
   * Takes a layer; draw() shows it.
   * @param {import('./types').Layer} layer
   */
  upload(layer) {
    const { gl } = this;
    if (layer.width > this.maxSize || layer.height > this.maxSize) {
      throw new Error(`${layer.width} x ${layer.height} pixels are more than the ${this.maxSize} of this browser's graphics`);
    }
    const { internal, format, type } = this.formats(layer);
    const key = `${internal} ${layer.width} ${layer.height}`;
    gl.activeTexture(gl.TEXTURE0);
    if (key !== this.textureKey) {
      if (this.texture) gl.deleteTexture(this.texture);
      this.texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, this.texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, internal, layer.width, layer.height);
      for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
      for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
      this.textureKey = key;
    } else {
      gl.bindTexture(gl.TEXTURE_2D, this.texture);
    }
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, layer.width, layer.height, format, type, layer.pixels);
    this.layer = layer;
  }

  /**
   * Draws the last layer into the canvas, whose size in pixels is that of the page.
   * @param {import('./types').View} view
   * @param {import('./types').LayerInfo | undefined} info
   */
  draw(view, info) {
    const { gl, canvas, layer } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0.12, 0.13, 0.14, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!layer || !this.texture) return;
    const program = this.program(layer.sampleBytes !== 4);
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    /** @param {string} name */
    const at = (name) => gl.getUniformLocation(program, name);
    // The image's left upper corner is at (x, y) of the canvas, each of its pixels has scale x scale pixels.
    const w = (layer.width * view.scale) / canvas.width;
    const h = (layer.height * view.scale) / canvas.height;
    gl.uniform2f(at('scale'), w, h);
    gl.uniform2f(at('shift'), (2 * view.x) / canvas.width - 1 + w, 1 - h - (2 * view.y) / canvas.height);
    gl.uniform1i(at('pixels'), 0);
    gl.uniform2i(at('size'), layer.width, layer.height);
    gl.uniform1i(at('channels'), layer.channels);
    const depth = info?.family === 'coordinates' && !layer.converted;
    gl.uniform1i(at('channel'), depth ? layer.channels - 1 : -1);
    const mosaic = !layer.converted && info?.filter && info.family === 'bayer' ? [...info.filter] : null;
    gl.uniform1i(at('hasMosaic'), mosaic && layer.width > 1 && layer.height > 1 ? 1 : 0);
    const filters = (mosaic ?? ['G', 'G', 'G', 'G']).map((c) => COLOURS[/** @type {'R'} */ (c)] ?? 1);
    gl.uniform4i(at('mosaic'), filters[0], filters[1], filters[2], filters[3]);
    gl.uniform1i(at('swapped'), info?.format.startsWith('BGR') && !layer.converted ? 1 : 0);
    gl.uniform1i(at('falseColours'), view.falseColours ? 1 : 0);
    gl.uniform3f(at('window'), view.low, view.high, view.gamma);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  /**
   * The values in the texture as the graphics have them, four for each pixel; for tests.
   * @returns {Float32Array | Uint32Array}
   */
  readTexture() {
    const { gl, layer } = this;
    if (!layer || !this.texture) throw new Error('There is no texture');
    const frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    if (layer.sampleBytes === 4) gl.getExtension('EXT_color_buffer_float');
    // RGB textures cannot be attached: they are copied through a shader.
    const count = layer.width * layer.height * 4;
    const floats = layer.sampleBytes === 4;
    const target = gl.createTexture();
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, target);
    gl.texStorage2D(gl.TEXTURE_2D, 1, floats ? gl.RGBA32F : gl.RGBA32UI, layer.width, layer.height);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0);
    const program = this.copier(floats);
    gl.useProgram(program);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.uniform1i(gl.getUniformLocation(program, 'pixels'), 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.viewport(0, 0, layer.width, layer.height);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    const values = floats ? new Float32Array(count) : new Uint32Array(count);
    if (floats) gl.readPixels(0, 0, layer.width, layer.height, gl.RGBA, gl.FLOAT, values);
    else gl.readPixels(0, 0, layer.width, layer.height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, values);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(frame);
    gl.deleteTexture(target);
    gl.deleteProgram(program);
    return values;
  }

  /** @param {boolean} floats */
  copier(floats) {
    const { gl } = this;
    const sampler = floats ? 'sampler2D' : 'usampler2D';
    return compile(
      gl,
      '#version 300 es\nin vec2 corner;void main(){gl_Position=vec4(corner*2.0-1.0,0.0,1.0);}',
      `#version 300 es
precision highp float;precision highp int;precision highp ${sampler};
uniform ${sampler} pixels;out ${floats ? 'vec4' : 'uvec4'} value;
void main(){value=texelFetch(pixels,ivec2(gl_FragCoord.xy),0);}`,
    );
  }

  dispose() {
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
