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
  /** The error code. `undefined` if the answer is not from Retour. Later versions may add codes: handle a code that you do not know by its status. */
  readonly code: ErrorCode | undefined;
  /** The fields with wrong values; may be empty. */
  readonly details: readonly FieldError[];
  /** The whole error; with the code `DraftOutdated`, it has today's figures. `undefined` if the answer is not from Retour. */
  readonly error: ErrorBody | undefined;
  /** The seconds of `Retry-After`, if the answer has it. */
  readonly retryAfterSeconds: number | undefined;
  /** The id of the request in the operator's log. */
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

/** There is no complete answer: the connection failed or broke, or the answer took too long. `cause` has the reason. */
export class NetworkError extends RetourError {
  override readonly name = "NetworkError";
}

/** The seconds of `Retry-After`, which is a number or a date. */
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
