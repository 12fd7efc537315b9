// Requests to the server. Every function throws an Error whose message is for the user.

/** Exchanges the token in the address for a cookie, and removes it from the address and the history. */
export async function login() {
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, '', location.pathname);
  await fetch('/login', { method: 'POST', headers: { 'X-Token': token } });
}

/**
 * What reads, and is under way.
 * @type {Map<AbortController, string>}
 */
const reading = new Map();

/**
 * Gives up what reads below a path and is under way: its callers get an error, and the console stays silent.
 * @param {string} path
 */
export function giveUp(path) {
  for (const [controller, asked] of reading) if (asked.startsWith(path)) controller.abort();
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function request(method, path, body) {
  const response = await send(method, path, body);
  return isJson(response) ? response.json() : {};
}

/** @param {Response} response */
const isJson = (response) => response.headers.get('Content-Type') === 'application/json';

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function send(method, path, body) {
  const controller = new AbortController();
  /** @type {RequestInit} */
  const options = { method, signal: controller.signal };
  if (body !== undefined) {
    const bytes = body instanceof Blob;
    options.headers = { 'Content-Type': bytes ? 'application/octet-stream' : 'application/json' };
    options.body = bytes ? body : JSON.stringify(body);
  }
  let response;
  if (method === 'GET') reading.set(controller, path);
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error('The server does not answer: is the program still running?');
  } finally {
    reading.delete(controller);
  }
  if (!response.ok) {
    const json = isJson(response) ? await response.json() : {};
    throw new Error(json.error ?? `The server answered ${response.status}`);
  }
  return response;
}

/**
 * Lets the server make a file.
 *
 * @param {string} path
 * @returns {Promise<Blob>}
 */
export async function file(path) {
  const response = await send('POST', path, {});
  return response.blob();
}

/**
 * Sends bytes as they are.
 * @param {string} path
 * @param {Blob} content
 */
export const upload = (path, content) => request('POST', path, content);

/** @param {string} path */
export const get = (path) => request('GET', path);
/** @param {string} path @param {object} [body] */
export const post = (path, body) => request('POST', path, body ?? {});
/** @param {string} path @param {object} body */
export const put = (path, body) => request('PUT', path, body);
/** @param {string} path */
export const remove = (path) => request('DELETE', path);
