import { AppError } from '../../../src/platform/core';
import type { ErrorCode, ErrorDetail } from '../../../src/platform/core';
import type { Dialect } from '../../http/state';

interface Coded {
  readonly status: number;
  readonly code: number;
}

/** Postmark's codes of failures, by ours. */
const CODES: Readonly<Record<ErrorCode, Coded>> = {
  ambiguous_api_key: { status: 401, code: 10 },
  unauthorized: { status: 401, code: 10 },
  forbidden: { status: 401, code: 10 },
  approval_needed: { status: 422, code: 300 },
  not_found: { status: 404, code: 404 },
  method_not_allowed: { status: 405, code: 404 },
  invalid_state: { status: 422, code: 300 },
  conflict: { status: 422, code: 300 },
  in_use: { status: 422, code: 300 },
  reentry_refused: { status: 422, code: 300 },
  filter_not_matched: { status: 422, code: 300 },
  limit_exceeded: { status: 422, code: 300 },
  idempotency_key_reused: { status: 422, code: 300 },
  idempotency_in_progress: { status: 503, code: 100 },
  payments_disabled: { status: 422, code: 300 },
  payload_too_large: { status: 413, code: 300 },
  unsupported_media_type: { status: 422, code: 409 },
  validation_error: { status: 422, code: 300 },
  send_failed: { status: 422, code: 300 },
  rate_limited: { status: 429, code: 429 },
  limit_reached: { status: 422, code: 405 },
  internal_error: { status: 500, code: 500 },
  not_implemented: { status: 501, code: 500 },
  unavailable: { status: 503, code: 100 },
};

/** Codes that depend on the fault; the first that fits. */
const BY_FAULT: readonly (readonly [fits: (detail: ErrorDetail) => boolean, coded: Coded])[] = [
  [({ code }) => code === 'invalid_json', { status: 422, code: 402 }],
  [({ code }) => code === 'unverified_domain', { status: 422, code: 400 }],
  [({ code }) => code === 'template_not_found', { status: 422, code: 1101 }],
  [({ code, path }) => code === 'too_big' && path === 'messages', { status: 422, code: 410 }],
];

/** Codes that depend on what is not there, by the text. */
const MISSING: Readonly<Record<string, Coded>> = {
  'Email not found': { status: 404, code: 701 },
  'Template not found': { status: 422, code: 1101 },
};

/** Members' names there, by their names here. */
const MEMBERS: Readonly<Record<string, string>> = {
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  from: 'From',
  subject: 'Subject',
  html: 'HtmlBody',
  text: 'TextBody',
  replyTo: 'ReplyTo',
  tags: 'Tag',
  headers: 'Headers',
  attachments: 'Attachments',
  filename: 'Name',
  content: 'Content',
  contentType: 'ContentType',
  contentId: 'ContentID',
  templateId: 'TemplateId',
  variables: 'TemplateModel',
};

type Failure = Pick<AppError, 'message'> & { readonly code: string; readonly details?: readonly ErrorDetail[] | undefined };

function codedOf({ code, message, details: [first] = [] }: Failure): Coded {
  const byFault = first && BY_FAULT.find(([fits]) => fits(first));
  const byText = code === 'not_found' && Object.hasOwn(MISSING, message) ? MISSING[message] : undefined;
  return byFault?.[1] ?? byText ?? CODES[code as ErrorCode];
}

const textOf = ({ message, details: [first] = [] }: Failure): string => {
  if (!first || first.path === '') return first?.message ?? message;
  const path = first.path.split('.').map((name) => (Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : name));
  return `${path.join('.')}: ${first.message}`;
};

/** Writes a failure as Postmark does: `{ErrorCode, Message}`. */
export const failureBody = (failure: Failure) => ({ ErrorCode: codedOf(failure).code, Message: textOf(failure) });

/** A message that nobody gets. */
export class Refused extends AppError {
  constructor(
    readonly errorCode: number,
    message: string,
  ) {
    super('send_failed', message);
  }
}

export const postmarkDialect = {
  prefix: '/compat/postmark',
  answer: (failure) =>
    failure instanceof Refused
      ? { status: 422, body: { ErrorCode: failure.errorCode, Message: failure.message } }
      : { status: codedOf(failure).status, body: failureBody(failure) },
} satisfies Dialect;
