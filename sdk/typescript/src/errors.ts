import type { ErrorBody, ErrorCode, FieldError } from "./types.gen.js";

/** Every error of this package. */
export class RetourError extends Error {
  override readonly name: string = "RetourError";
}

/** Retour, or a proxy in front of it, answered with an error. */
export class ApiError extends RetourError {
  override readonly name = "ApiError";
  /** The status of the answer. */
  readonly status: number;
  /** What went wrong. `undefined` where the answer is not from Retour. Later versions may add codes: treat one that you do not know by its status. */
  readonly code: ErrorCode | undefined;
  /** The fields with wrong values, where fields are wrong. */
  readonly details: readonly FieldError[];
  /** The whole error; with the code `DraftOutdated` it has the figures of today. `undefined` where the answer is not from Retour. */
  readonly error: ErrorBody | undefined;
  /** Seconds until the next request makes sense, where the answer has `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The id of the request, which the operator finds in the log. */
  readonly requestId: string | undefined;

  constructor(answer: { status: number; headers: Headers; text: string }) {
    const error = parse(answer.text);
    super(error?.message ?? `The answer has the status ${answer.status} and is not from Retour.`);
    this.status = answer.status;
    this.error = error;
    this.code = error?.code;
    this.details = error?.details ?? [];
    this.retryAfterSeconds = retryAfterSeconds(answer.headers);
    this.requestId = answer.headers.get("x-request-id") ?? undefined;
  }

  /** The error of one field of the body, such as `selectedPurchases[0].quantity`. */
  field(name: string): FieldError | undefined {
    return this.details.find(({ field }) => field === name);
  }
}

/** No whole answer came: the connection failed or broke, or took too long. `cause` has the reason. */
export class NetworkError extends RetourError {
  override readonly name = "NetworkError";
}

/** The seconds in `Retry-After`, which has a number or a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

function parse(text: string): ErrorBody | undefined {
  try {
    const error = (JSON.parse(text) as { error?: Partial<ErrorBody> } | null)?.error;
    return typeof error?.code === "string" && typeof error.message === "string" ? (error as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}
