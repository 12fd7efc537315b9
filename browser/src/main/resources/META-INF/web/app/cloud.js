// Draws the layer of a GlView as a cloud of points: one vertex for each pixel, its place read from the texture, so that
// turning it needs no new frame.
import { TURBO, compile } from './gl-view.js';
import { range } from './layer.js';

/** Points drawn at most; of more pixels, each second, third... in both directions. */
const MAX_POINTS = 400_000;

const VERTEX = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D pixels;
uniform ivec2 size;
uniform int step_;
uniform int channels;
uniform vec3 centre;
uniform vec3 extent;
uniform mat3 turn;
uniform vec3 lens;
uniform vec2 window;
out vec3 shade;
${TURBO}
void main() {
  int across = (size.x + step_ - 1) / step_;
  ivec2 p = ivec2(gl_VertexID % across, gl_VertexID / across) * step_;
  vec4 v = texelFetch(pixels, p, 0);
  float depth = channels == 1 ? v.r : channels == 2 ? v.g : v.b;
  vec3 place = channels >= 3 ? v.xyz : vec3(vec2(p), depth);
  // Not a number, or infinite: there is no point.
  if (!(abs(place.x) < 3e38 && abs(place.y) < 3e38 && abs(place.z) < 3e38)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  // Images have y down and z away from the camera.
  vec3 q = turn * ((place - centre) / extent * vec3(1.0, -1.0, -1.0));
  float w = 3.0 - q.z;
  gl_Position = vec4(q.xy * lens.xy, -0.4 * q.z * w, w);
  gl_PointSize = lens.z;
  shade = turbo(clamp((depth - window.x) / max(window.y - window.x, 1e-20), 0.0, 1.0));
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 shade;
out vec4 colour;
void main() { colour = vec4(shade, 1.0); }`;

/**
 * Where the cloud lies, from some of its points.
 * @param {import('./types').Layer} layer
 */
function bounds(layer) {
  const { channels, width, height } = layer;
  const z = range(layer, Math.min(2, channels - 1));
  const all = channels >= 3 ? [range(layer, 0), range(layer, 1), z] : [[0, width - 1], [0, height - 1], z];
  const centre = all.map(([low, high]) => (low + high) / 2);
  const half = all.map(([low, high]) => Math.max((high - low) / 2, 1e-12));
  // Without coordinates x and y, the depth has a scale of its own.
  const most = channels >= 3 ? Math.max(...half) : Math.max(half[0], half[1]);
  return { centre, extent: channels >= 3 ? [most, most, most] : [most, most, half[2] * 2] };
}

/** @param {number} yaw @param {number} pitch column by column */
function rotation(yaw, pitch) {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return [cy, sp * sy, -cp * sy, 0, cp, sp, sy, -sp * cy, cp * cy];
}

export class Cloud {
  /** @param {import('./gl-view.js').GlView} view whose texture has the coordinates */
  constructor(view) {
    this.view = view;
    /** @type {WebGLProgram | null} */
    this.program = null;
    this.yaw = 0;
    this.pitch = 0;
    this.zoom = 1;
    /** @type {import('./types').Layer | null} */
    this.measured = null;
    /** @type {{centre: number[], extent: number[]} | null} */
    this.bounds = null;
  }

  reset() {
    this.yaw = 0;
    this.pitch = 0;
    this.zoom = 1;
  }

  /** @param {number} yaw @param {number} pitch radians */
  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.pitch + pitch));
  }

  /** @param {number} factor */
  zoomBy(factor) {
    this.zoom = Math.max(0.2, Math.min(20, this.zoom * factor));
  }

  /** @param {number} low @param {number} high depths at the ends of the colours */
  draw(low, high) {
    const { gl, canvas, layer, texture } = this.view;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0.12, 0.13, 0.14, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (!layer || !texture) return;
    // The scale of the first frame stays, so that the cloud does not tremble.
    if (!this.bounds || this.measured?.width !== layer.width || this.measured?.height !== layer.height) {
      this.bounds = bounds(layer);
      this.measured = layer;
    }
    const program = (this.program ??= compile(gl, VERTEX, FRAGMENT));
    gl.useProgram(program);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const at = (/** @type {string} */ name) => gl.getUniformLocation(program, name);
    let step = 1;
    while (Math.ceil(layer.width / step) * Math.ceil(layer.height / step) > MAX_POINTS) step++;
    const [across, down] = [Math.ceil(layer.width / step), Math.ceil(layer.height / step)];
    const short = Math.min(canvas.width, canvas.height);
    const lens = 2.2 * this.zoom;
    gl.uniform1i(at('pixels'), 0);
    gl.uniform2i(at('size'), layer.width, layer.height);
    gl.uniform1i(at('step_'), step);
    gl.uniform1i(at('channels'), layer.channels);
    gl.uniform3fv(at('centre'), this.bounds.centre);
    gl.uniform3fv(at('extent'), this.bounds.extent);
    gl.uniformMatrix3fv(at('turn'), false, rotation(this.yaw, this.pitch));
    gl.uniform3f(at('lens'), (lens * short) / canvas.width, (lens * short) / canvas.height,
      Math.max(1, (0.8 * short * this.zoom) / Math.max(across, down)));
    gl.uniform2f(at('window'), low, high);
    gl.enable(gl.DEPTH_TEST);
    gl.disableVertexAttribArray(0);
    gl.drawArrays(gl.POINTS, 0, across * down);
    gl.disable(gl.DEPTH_TEST);
  }
}
