import type { z } from 'zod';
import type { Context, ErrorDetail } from '../../src/platform/core';
import { AppError } from '../../src/platform/core';
import { acceptSend, inlineFaults, replaySend } from '../../src/sending/accept';
import type { SendOutcome, SendRequest } from '../../src/sending/accept';
import { reply } from '../http/answers';
import { endpoint, group } from '../http/endpoint';
import type { Reply } from '../http/answers';
import { MEBIBYTE, textsOf } from '../http/pieces';
import { foreignSyntax } from '../http/warnings';
import { SendMessage } from './message';
import { outcomeHeaders } from './outcome';
import { MAX_MESSAGES, SEND_BODY_LIMIT, SendBatch, SendBatchResponse, SendResponse } from './schemas';

const toReply = <T>(outcome: SendOutcome): Reply<T> => reply(200, outcome.reply as T, outcomeHeaders(outcome));

async function send<T>(ctx: Context, request: SendRequest): Promise<Reply<T>> {
  // Keys that send are `full` or `sending`; the latter read no content.
  if (ctx.readsContent === false && request.messages.some(({ ignoresCaps }) => ignoresCaps))
    throw new AppError('forbidden', "This key's scope is sending; `cap` needs the scope full");
  return toReply(await acceptSend(ctx, request));
}

const NO_TEXTS = { subject: null, html: null, text: null };

const templatesIn = (message: unknown) => ({ ...NO_TEXTS, ...textsOf(message, ['subject', 'html', 'text']) });

/**
 * Returns the faults of a batch, up to about a megabyte: it is refused in any case. A batch with too many messages is one fault, and its
 * messages are not checked.
 */
function faultsOfBatch(body: unknown): readonly ErrorDetail[] {
  const { messages } = (body ?? {}) as { readonly messages?: unknown };
  if (!Array.isArray(messages) || messages.length > MAX_MESSAGES) return [];
  const faults: ErrorDetail[] = [];
  let left = MEBIBYTE;
  for (const [index, message] of messages.entries()) {
    const templates = templatesIn(message);
    left -= Object.values(templates).join('').length;
    if (left < 0) break;
    faults.push(...inlineFaults(templates, `messages.${index}.`));
  }
  return faults;
}

async function replay<T>(ctx: Context, request: Pick<SendRequest, 'endpoint' | 'idempotency'>): Promise<Reply<T> | null> {
  const outcome = await replaySend(ctx, request);
  return outcome && toReply(outcome);
}

export const sendRoutes = group('Send', [
  endpoint('POST /v1/send', {
    operationId: 'send',
    summary: 'Send one message, or one to each of up to 50 recipients',
    description:
      'A repeated `Idempotency-Key` with the same body replays the stored response (`X-Idempotent-Replay: true`). ' +
      'A recipient that is suppressed, unsubscribed or over a limit is skipped, not failed.',
    access: 'sending',
    request: {
      body: SendMessage,
      furtherFaults: (body) => inlineFaults(templatesIn(body), ''),
      warn: (_ctx, { subject, html, text }) => foreignSyntax(subject, html, text),
    },
    response: SendResponse,
    limits: { bodyBytes: SEND_BODY_LIMIT, ownRate: true, hot: true },
    idempotent: { replay: (ctx, idempotency) => replay<z.input<typeof SendResponse>>(ctx, { endpoint: 'send', idempotency }) },
    errors: ['send_failed'],
    handle: ({ ctx, body, idempotency }) => send<z.input<typeof SendResponse>>(ctx, { endpoint: 'send', messages: [body], idempotency }),
  }),
  endpoint('POST /v1/send/batch', {
    operationId: 'sendBatch',
    summary: 'Send up to 1,000 messages',
    description: 'Each message succeeds or fails separately: check every entry of `results`, even if the status is 200.',
    access: 'sending',
    request: {
      body: SendBatch,
      furtherFaults: faultsOfBatch,
      warn: (_ctx, { messages }) => foreignSyntax(...messages.flatMap(({ subject, html, text }) => [subject, html, text])),
    },
    response: SendBatchResponse,
    limits: { bodyBytes: SEND_BODY_LIMIT, ownRate: true, hot: true },
    errors: ['approval_needed'],
    idempotent: { replay: (ctx, idempotency) => replay<z.input<typeof SendBatchResponse>>(ctx, { endpoint: 'batch', idempotency }) },
    handle: ({ ctx, body, idempotency }) =>
      send<z.input<typeof SendBatchResponse>>(ctx, { endpoint: 'batch', messages: body.messages, idempotency }),
  }),
]);
