import { AppError, invalid } from '../../../src/platform/core';
import type { SendMessage } from '../../../src/sending/accept';
import { reply } from '../../http/answers';
import { outcomeHeaders } from '../../send/outcome';
import type { Foreign } from '../kit/declare';
import { entriesOf, membersOf } from '../kit/members';
import type { Members } from '../kit/members';
import { SEND_LIMITS, acceptOnce, fateOfOne, fatesOf, messageFrom, refusalOf } from '../kit/sending';
import type { Fate } from '../kit/sending';
import { postmark } from './declare';
import { Refused, failureBody } from './dialect';
import { translated } from './message';

const INACTIVE: ReadonlySet<string> = new Set(['suppressed', 'unsubscribed', 'limit_reached']);
/** Why a project may not send; Postmark's 405. */
const NOT_ALLOWED = 405;
const INACTIVE_RECIPIENT = 406;

/** Returns why nobody gets a message, with the addresses where Postmark's clients look for them. */
function refusalBody(fate: Fate) {
  const [first] = fate.skipped;
  if (first && !INACTIVE.has(first.reason)) return { ErrorCode: NOT_ALLOWED, Message: refusalOf(fate).message };
  const names = fate.skipped.map(({ to }) => to).join(', ');
  return {
    ErrorCode: INACTIVE_RECIPIENT,
    Message: `You tried to send to recipients that are inactive. Found inactive addresses: ${names}. Inactive recipients get no mail: ${first?.reason ?? ''}.`,
  };
}

function sentBody(given: Members, { id, skipped }: Fate) {
  const names = skipped.map(({ to }) => to).join(', ');
  return {
    To: given['To'],
    ...(given['Cc'] !== undefined && given['Cc'] !== null && { Cc: given['Cc'] }),
    ...(given['Bcc'] !== undefined && given['Bcc'] !== null && { Bcc: given['Bcc'] }),
    SubmittedAt: new Date().toISOString(),
    MessageID: id,
    ErrorCode: 0,
    Message: skipped.length > 0 ? `Message OK, but will not deliver to these inactive addresses: ${names}` : 'OK',
  };
}

async function send(request: Foreign) {
  const { body, idempotency } = request;
  const outcome = await acceptOnce(request, {
    endpoint: 'send',
    idempotency,
    messages: () => Promise.resolve([messageFrom(request, translated(body))]),
  });
  const fate = fateOfOne(outcome.reply);
  if (fate.id === null) {
    const { ErrorCode: code, Message: message } = refusalBody(fate);
    throw new Refused(code, message);
  }
  return reply(200, sentBody(membersOf(body), fate), outcomeHeaders(outcome));
}

const MOST = 500;

/** A message of a batch: one to send, or the fault of one. */
type Read = { readonly message: SendMessage } | { readonly fault: AppError };

function readOne(request: Foreign, given: unknown): Read {
  try {
    return { message: messageFrom(request, translated(given)) };
  } catch (fault) {
    if (fault instanceof AppError) return { fault };
    throw fault;
  }
}

/** Answers a batch: 200, with an entry for each message at its index. */
async function sendBatch(request: Foreign, list: unknown) {
  const given = entriesOf(list, 'messages');
  if (given.length > MOST) throw invalid('messages', 'too_big', `At most ${MOST} messages in one batch`);
  const read = given.map((each) => readOne(request, each));
  const messages = read.flatMap((each) => ('message' in each ? [each.message] : []));
  const { idempotency } = request;
  const outcome =
    messages.length === 0 ? null : await acceptOnce(request, { endpoint: 'batch', idempotency, messages: () => Promise.resolve(messages) });
  const fates = (outcome ? fatesOf(outcome.reply) : []).values();
  const bodies = read.map((each, index) => ('fault' in each ? failureBody(each.fault) : entryOf(given[index], fates.next().value)));
  return reply(200, bodies, outcome ? outcomeHeaders(outcome) : {});
}

function entryOf(given: unknown, fate: Fate | undefined) {
  if (fate?.failed) return failureBody(fate.failed);
  return fate && fate.id !== null ? sentBody(membersOf(given), fate) : refusalBody(fate ?? { id: null, skipped: [], failed: null });
}

const SEND = { ...SEND_LIMITS, hot: true };

export const sendRoutes = [
  postmark('POST /email', 'send', send, SEND),
  postmark('POST /email/withTemplate', 'send', send, SEND),
  postmark('POST /email/batch', 'sendBatch', (request) => sendBatch(request, request.body), SEND_LIMITS),
  postmark(
    'POST /email/batchWithTemplates',
    'sendBatch',
    (request) => sendBatch(request, membersOf(request.body)['Messages']),
    SEND_LIMITS,
  ),
];
