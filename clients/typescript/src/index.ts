export { ApiError, ConnectionError, KeyError, LettermillError, RateLimitError, ValidationError } from './errors.ts';
export type { ErrorCode, ErrorDetail } from './errors.ts';
export { Lettermill } from './operations.ts';
export { Pages } from './pages.ts';
export type { Page } from './pages.ts';
export type { components, operations } from './schema.ts';
export type { LettermillOptions, RequestOptions } from './transport.ts';
export { SignatureError, verifyWebhook } from './webhooks.ts';
export type { SystemEvents, WebhookEvent, WebhookRequest } from './webhooks.ts';
