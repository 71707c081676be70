// Sends the requests of `Retour` and retries them, without a retry library: libraries for fetch decide by the method, but a POST with an
// `Idempotency-Key` may be repeated, too. They also shorten a long `Retry-After`, or wait for hours.
import { ApiError, NetworkError } from "./errors.js";
import { isRepeatable, pauseSeconds, sleep } from "./retries.js";

/** How to reach Retour. */
export interface ClientOptions {
  /** The address of Retour, such as `https://returns.example.com`. */
  baseUrl: string;
  /** An API key (`rtk_…`), a user's token (`rtu_…`) or a consumer's token (`rtc_…`). */
  token?: string;
  /** The maximum number of retries after a 429, 502, 503 or 504 or a broken connection. Default: 3. */
  maxRetries?: number;
  /** The longest `Retry-After` that the client waits for. With a longer one, the call fails at once. Default: 60. */
  maxRetryAfterSeconds?: number;
  /** How long one attempt may take. Default: 30, and 600 for files. */
  timeoutSeconds?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/** Options of every call. */
export interface Options {
  /** Cancels the call, which then throws the signal's reason. */
  signal?: AbortSignal;
  /** How long one attempt may take. */
  timeoutSeconds?: number;
}

/** Options of a call that creates or changes something. */
export interface KeyedOptions extends Options {
  /** By default, the client creates a key for each call. Pass your own if your program may repeat the call. */
  idempotencyKey?: string;
}

/** Options of a change. */
export interface VersionedOptions extends KeyedOptions {
  /** The `version` that you have read. If the object has another one by now, the call fails with the status 412. */
  ifMatch?: number;
}

/** Options of a call that sends a file. */
export interface UploadOptions extends KeyedOptions {
  /** The name of the file. Default: the name of the `File`. */
  fileName?: string;
}

/** Options of a call that answers with a file. */
export interface FileOptions<Media extends string> extends Options {
  /** The format of the file, if there are several. */
  accept?: Media;
}

/** A request of one operation. */
export interface Call {
  method: string;
  path: string;
  query?: { readonly [name: string]: unknown };
  body?: unknown;
  keyed?: boolean;
  answersFile?: boolean;
}

type AllOptions = UploadOptions & VersionedOptions & FileOptions<string>;

interface Attempt {
  url: URL;
  init: { method: string; headers: Headers; body: string | Blob | null };
  timeoutSeconds: number;
  signal: AbortSignal | undefined;
}

interface Answer {
  status: number;
  headers: Headers;
  body: Blob;
}

/** The base class of `Retour`: it sends requests. */
export class Client {
  readonly #options: ClientOptions;
  readonly #base: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = new URL(options.baseUrl).href.replace(/\/+$/, "");
  }

  /** Sends a request, retries it if that is safe, and reads its answer. */
  protected async call<Result>(call: Call, options: AllOptions): Promise<Result> {
    const attempt = this.#attempt(call, options);
    const limits = { maxRetries: this.#options.maxRetries ?? 3, maxRetryAfterSeconds: this.#options.maxRetryAfterSeconds ?? 60 };
    const repeatable = isRepeatable(call.method, attempt.init.headers.get("idempotency-key") ?? undefined);
    for (let retries = 0; ; retries += 1) {
      const outcome = await this.#send(attempt);
      const failed = outcome instanceof NetworkError;
      if (!failed && outcome.status < 300) return (await read(outcome, call.answersFile === true)) as Result;
      // An earlier attempt deleted the object, and its answer was lost.
      if (!failed && outcome.status === 404 && call.method === "DELETE" && retries > 0) return undefined as Result;
      const pause = repeatable ? pauseSeconds(failed ? undefined : outcome, retries, limits) : undefined;
      if (pause === undefined) throw failed ? outcome : new ApiError({ ...outcome, text: await outcome.body.text() });
      await sleep(pause, options.signal);
    }
  }

  #attempt({ method, path, query, body, keyed, answersFile }: Call, options: AllOptions): Attempt {
    const isFile = body instanceof Blob;
    const headers = new Headers({ accept: options.accept ?? (answersFile ? "*/*" : "application/json") });
    const set = (name: string, value: string | undefined) => value !== undefined && headers.set(name, value);
    set("authorization", this.#options.token && `Bearer ${this.#options.token}`);
    set("idempotency-key", keyed ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined);
    set("if-match", options.ifMatch === undefined ? undefined : `"${options.ifMatch}"`);
    if (isFile) {
      headers.set("content-type", body.type || "application/octet-stream");
      set("content-disposition", disposition(options.fileName ?? (body as Partial<File>).name));
    } else if (body !== undefined) {
      headers.set("content-type", "application/json");
    }
    return {
      url: new URL(this.#base + path + search(query)),
      init: { method, headers, body: isFile ? body : body === undefined ? null : JSON.stringify(body) },
      timeoutSeconds: options.timeoutSeconds ?? this.#options.timeoutSeconds ?? (isFile || answersFile ? 600 : 30),
      signal: options.signal,
    };
  }

  /** One attempt. It reads the whole body, because the connection may also break there. */
  async #send({ url, init, timeoutSeconds, signal }: Attempt): Promise<Answer | NetworkError> {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    const send = this.#options.fetch ?? fetch;
    try {
      // A redirect would turn a POST into a GET.
      const response = await send(url, { ...init, redirect: "manual", signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
      return { status: response.status, headers: response.headers, body: await response.blob() };
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      const reason = timeout.aborted ? `No answer came within ${timeoutSeconds} seconds` : "The connection failed";
      return new NetworkError(`${reason}: ${init.method} ${url.origin}${url.pathname}`, { cause });
    }
  }
}

/** A segment of a path. An empty one, `.` or `..` would lead to another operation. */
export function segment(id: string): string {
  if (id === "" || id === "." || id === "..") throw new TypeError(`"${id}" is not an id.`);
  return encodeURIComponent(id);
}

/** The rows of a list, page by page. */
export async function* pages<Row>(
  list: (page: { page?: number }) => Promise<{ data: Row[]; nextPage: number | null }>,
): AsyncGenerator<Row, void, void> {
  let answer = await list({});
  yield* answer.data;
  while (answer.nextPage !== null) {
    answer = await list({ page: answer.nextPage });
    yield* answer.data;
  }
}

function search(query: Call["query"]): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) parameters.append(name, String(one));
    }
  }
  return parameters.size > 0 ? `?${parameters}` : "";
}

function disposition(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename*=UTF-8''${encoded}`;
}

async function read(answer: Answer, isFile: boolean): Promise<unknown> {
  if (isFile) return answer.body;
  if (answer.body.size === 0) return undefined;
  const text = await answer.body.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError({ ...answer, text }); // such as the page of a proxy
  }
}
