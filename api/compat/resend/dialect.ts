import type { AppError, ErrorCode, ErrorDetail } from '../../../src/platform/core';
import type { Dialect } from '../../http/state';

interface Named {
  readonly status: number;
  readonly name: string;
}

/** Resend's names of failures, by ours. */
const NAMES: Readonly<Record<ErrorCode, Named>> = {
  ambiguous_api_key: { status: 400, name: 'validation_error' },
  unauthorized: { status: 403, name: 'invalid_api_key' },
  forbidden: { status: 401, name: 'restricted_api_key' },
  approval_needed: { status: 403, name: 'validation_error' },
  not_found: { status: 404, name: 'not_found' },
  method_not_allowed: { status: 405, name: 'method_not_allowed' },
  invalid_state: { status: 422, name: 'validation_error' },
  conflict: { status: 422, name: 'validation_error' },
  in_use: { status: 422, name: 'validation_error' },
  reentry_refused: { status: 422, name: 'validation_error' },
  filter_not_matched: { status: 422, name: 'validation_error' },
  limit_exceeded: { status: 422, name: 'validation_error' },
  idempotency_key_reused: { status: 409, name: 'invalid_idempotent_request' },
  idempotency_in_progress: { status: 409, name: 'concurrent_idempotent_requests' },
  payments_disabled: { status: 422, name: 'validation_error' },
  payload_too_large: { status: 413, name: 'validation_error' },
  unsupported_media_type: { status: 415, name: 'validation_error' },
  validation_error: { status: 422, name: 'validation_error' },
  send_failed: { status: 422, name: 'validation_error' },
  rate_limited: { status: 429, name: 'rate_limit_exceeded' },
  limit_reached: { status: 429, name: 'monthly_quota_exceeded' },
  internal_error: { status: 500, name: 'internal_server_error' },
  not_implemented: { status: 501, name: 'application_error' },
  unavailable: { status: 503, name: 'application_error' },
};

/** Names of faults that depend on the member at fault; the first that fits. */
const BY_FAULT: readonly (readonly [fits: (detail: ErrorDetail) => boolean, named: Named])[] = [
  [({ path }) => path === 'Idempotency-Key', { status: 400, name: 'invalid_idempotency_key' }],
  [({ code }) => code === 'unverified_domain', { status: 403, name: 'validation_error' }],
  [({ message }) => message.startsWith('Missing'), { status: 422, name: 'missing_required_field' }],
  [({ path }) => /(^|\.)attachments\b/.test(path), { status: 422, name: 'invalid_attachment' }],
  [({ path }) => /(^|\.)from(Email)?$/.test(path), { status: 422, name: 'invalid_from_address' }],
];

/** Members' names there, by their names here. */
const MEMBERS: Readonly<Record<string, string>> = {
  body: 'html',
  contentId: 'content_id',
  contentType: 'content_type',
  data: 'properties',
  defaultSubscription: 'default_subscription',
  domain: 'name',
  firstName: 'first_name',
  fromEmail: 'from',
  lastName: 'last_name',
  previewText: 'preview_text',
  replyTo: 'reply_to',
  scheduledFor: 'scheduled_at',
  segmentId: 'segment_id',
  sendAt: 'scheduled_at',
  subscribed: 'unsubscribed',
  templateId: 'template.id',
  topicId: 'topic_id',
  url: 'endpoint',
  variables: 'template.variables',
};

const pathThere = (path: string): string =>
  path
    .split('.')
    .map((segment) => (Object.hasOwn(MEMBERS, segment) ? MEMBERS[segment] : segment))
    .join('.');

/** Returns what a failure says, with the member's name as the caller wrote it. */
export function messageOf({ message, details: [first, ...rest] }: Pick<AppError, 'message' | 'details'>): string {
  if (!first) return message;
  const more = rest.length > 0 ? ` (and ${rest.length} more)` : '';
  return `${first.path === '' ? '' : `${pathThere(first.path)}: `}${first.message}${more}`;
}

function namedOf({ code, details: [first] }: AppError): Named {
  const byFault = first && BY_FAULT.find(([fits]) => fits(first));
  return byFault?.[1] ?? NAMES[code];
}

const MISSING_KEY: Named = { status: 401, name: 'missing_api_key' };

/** Resend's errors: `{statusCode, name, message}`. */
export const resendDialect = {
  prefix: '/compat/resend',
  answer(failure, { authorization, 'x-api-key': other }) {
    const isMissing = failure.code === 'unauthorized' && authorization === undefined && other === undefined;
    const { status, name } = isMissing ? MISSING_KEY : namedOf(failure);
    return { status, body: { statusCode: status, name, message: messageOf(failure) } };
  },
} satisfies Dialect;
