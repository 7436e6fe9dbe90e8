/** Requests to the server (docs/protocol.md). */

/** What the server refused, with its stable code. */
export class ServerError extends Error {
  /** @param {string} code @param {string} message @param {Record<string, any>} [more] */
  constructor(code, message, more = {}) {
    super(message);
    this.code = code;
    this.more = more;
  }
}

/** The address of something under api/. @param {string} path */
export const apiUrl = (path) => new URL(`api/${path}`, document.baseURI);

/**
 * @param {string} path below api/
 * @param {object} [body] makes it a POST
 * @param {string} [method]
 * @returns {Promise<any>}
 */
export async function request(path, body, method = body ? "POST" : "GET") {
  let answer;
  try {
    answer = await fetch(apiUrl(path), {
      method,
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body && JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch {
    throw new ServerError("offline", "no connection");
  }
  const data = await answer.json().catch(() => null);
  if (!answer.ok) {
    throw new ServerError(
      data?.error?.code ?? "internal",
      data?.error?.message ?? answer.statusText,
      data?.error,
    );
  }
  return data;
}

/**
 * A file of the page or a text of the server's, or nothing at all: never what it says of an error.
 * @param {URL} url
 */
export async function fetched(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new ServerError("internal", answer.statusText);
  return answer;
}

/** A random text, as an id of a command or as a seed. @param {number} bytes */
export function randomText(bytes) {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return [...values].map((value) => value.toString(16).padStart(2, "0")).join("");
}
