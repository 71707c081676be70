import { retryAfterSeconds } from "./errors.js";

/** The limits of retries. */
export interface RetryLimits {
  /** The maximum number of retries of a call. */
  maxRetries: number;
  /** The longest `Retry-After` that the client waits for, in seconds. With a longer one, the call fails at once. */
  maxRetryAfterSeconds: number;
}

const STATUSES = new Set([429, 502, 503, 504]);
const FIRST_PAUSE_SECONDS = 0.5;
const LONGEST_PAUSE_SECONDS = 8;

/** Whether a request is idempotent, by its method or its `Idempotency-Key`. */
export function isRepeatable(method: string, key: string | undefined): boolean {
  return method === "GET" || method === "PUT" || method === "DELETE" || key !== undefined;
}

/**
 * The seconds to wait before the next attempt; `undefined` if there is none.
 *
 * @param answer the answer, or `undefined` if the connection broke
 * @param retries the number of retries so far
 */
export function pauseSeconds(answer: { status: number; headers: Headers } | undefined, retries: number, limits: RetryLimits, random = Math.random): number | undefined {
  if (retries >= limits.maxRetries) return undefined;
  if (answer && !STATUSES.has(answer.status)) return undefined;
  const asked = answer && retryAfterSeconds(answer.headers);
  if (asked !== undefined) return asked <= limits.maxRetryAfterSeconds ? asked : undefined;
  // Jitter: between half and all of the pause, so that clients that failed together do not retry together.
  return Math.min(FIRST_PAUSE_SECONDS * 2 ** retries, LONGEST_PAUSE_SECONDS) * (1 - random() / 2);
}

/** Waits until the time is over or the signal aborts. */
export function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
  });
}
