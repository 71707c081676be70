import { retryAfterSeconds } from "./errors.js";

/** How often and how long a call waits before it is sent again. */
export interface RetryLimits {
  /** How many times a call is sent again. */
  maxRetries: number;
  /** A longer `Retry-After` is not waited for: the call fails at once. In seconds. */
  maxRetryAfterSeconds: number;
}

const STATUSES = new Set([429, 502, 503, 504]);
const FIRST_PAUSE_SECONDS = 0.5;
const LONGEST_PAUSE_SECONDS = 8;

/** Whether a request may be sent twice: its method says so, or its `Idempotency-Key`. */
export function isRepeatable(method: string, key: string | undefined): boolean {
  return method === "GET" || method === "PUT" || method === "DELETE" || key !== undefined;
}

/**
 * The seconds to wait before the next attempt; `undefined` where there is none.
 *
 * @param answer what came, or `undefined` where the connection broke
 * @param retries how many times the request was sent again
 */
export function pauseSeconds(answer: { status: number; headers: Headers } | undefined, retries: number, limits: RetryLimits, random = Math.random): number | undefined {
  if (retries >= limits.maxRetries) return undefined;
  if (answer && !STATUSES.has(answer.status)) return undefined;
  const asked = answer && retryAfterSeconds(answer.headers);
  if (asked !== undefined) return asked <= limits.maxRetryAfterSeconds ? asked : undefined;
  // Between half and all of it, so that clients that failed together do not come back together.
  return Math.min(FIRST_PAUSE_SECONDS * 2 ** retries, LONGEST_PAUSE_SECONDS) * (1 - random() / 2);
}

/** Waits, unless the signal ends it. */
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
