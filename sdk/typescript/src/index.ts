/**
 * A typed client of the Retour API.
 *
 * @packageDocumentation
 */
export type { ClientOptions, FileOptions, KeyedOptions, Options, UploadOptions, VersionedOptions } from "./client.js";
export { ApiError, NetworkError, RetourError } from "./errors.js";
export * from "./operations.gen.js";
export type * from "./types.gen.js";
export { verifyWebhook, WebhookVerificationError, type WebhookHeaders } from "./webhooks.js";
