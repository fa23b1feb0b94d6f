import { AppError, invalid, invalidRequest } from '../../../src/platform/core';
import type { SendMessage } from '../../../src/sending/accept';
import { reply } from '../../http/answers';
import { outcomeHeaders } from '../../send/outcome';
import { withRemoteFiles } from '../kit/attachments';
import type { Remote } from '../kit/attachments';
import type { Foreign } from '../kit/declare';
import { entriesOf } from '../kit/members';
import { SEND_LIMITS, acceptOnce, fateOfOne, fatesOf, messageFrom, refusalOf } from '../kit/sending';
import type { Fate } from '../kit/sending';
import { resend } from './declare';
import { messageOf } from './dialect';
import { translated } from './message';

async function send(request: Foreign) {
  const { ctx, body, idempotency } = request;
  const outcome = await acceptOnce(request, {
    endpoint: 'send',
    idempotency,
    messages: () => {
      const { body: message, remotes } = translated(body, null, new Date());
      return withRemoteFiles(ctx.core, [messageFrom(request, message)], remotes);
    },
  });
  const fate = fateOfOne(outcome.reply);
  if (fate.id === null) throw refusalOf(fate);
  return reply(200, { id: fate.id }, outcomeHeaders(outcome));
}

const MOST = 100;

/** A message of a batch that was not accepted. */
interface BatchError {
  readonly index: number;
  readonly message: string;
}

interface ReadBatch {
  /** The indexes of the valid messages. */
  readonly indexes: readonly number[];
  readonly messages: readonly SendMessage[];
  readonly remotes: readonly Remote[];
  readonly errors: readonly BatchError[];
}

/** Reads the messages of a batch. A fault refuses all, unless the batch is permissive. */
function readBatch(request: Foreign, permissive: boolean): ReadBatch {
  const given = entriesOf(request.body);
  if (given.length === 0 || given.length > MOST)
    throw invalid('', given.length === 0 ? 'too_small' : 'too_big', `Give 1 to ${MOST} messages`);
  const now = new Date();
  const errors: BatchError[] = [];
  const good = given.flatMap((each, index) => {
    try {
      const { body, remotes } = translated(each, index, now);
      return [{ index, remotes, message: atIndex(index, () => messageFrom(request, body)) }];
    } catch (error) {
      if (!permissive || !(error instanceof AppError)) throw error;
      errors.push({ index, message: messageOf(error) });
      return [];
    }
  });
  return {
    indexes: good.map(({ index }) => index),
    messages: good.map(({ message }) => message),
    remotes: good.flatMap(({ remotes }, index) => remotes.map((remote) => ({ ...remote, message: index }))),
    errors,
  };
}

/** Names a message's index in the faults that are found in it. */
function atIndex<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError) || error.details.length === 0) throw error;
    throw invalidRequest(error.details.map((detail) => ({ ...detail, path: `${index}.${detail.path}` })));
  }
}

const errorOf = (fate: Fate, index: number): BatchError => ({ index, message: fate.failed?.message ?? refusalOf(fate).message });

async function sendBatch(request: Foreign) {
  const { ctx, incoming, idempotency } = request;
  const permissive = incoming.headers['x-batch-validation'] === 'permissive';
  const read = permissive ? readBatch(request, true) : null;
  if (read?.messages.length === 0) return { data: [], errors: read.errors };
  const outcome = await acceptOnce(request, {
    endpoint: 'batch',
    idempotency,
    allOrNothing: !permissive,
    messages: () => {
      const { messages, remotes } = read ?? readBatch(request, false);
      return withRemoteFiles(ctx.core, messages, remotes);
    },
  });
  const fates = fatesOf(outcome.reply);
  const refused = fates.flatMap((fate, at) => (fate.id === null ? [errorOf(fate, read?.indexes[at] ?? at)] : []));
  const errors = [...(read?.errors ?? []), ...refused].sort((a, b) => a.index - b.index);
  // A strict batch has an entry for each message, at its index.
  const data = (permissive ? fates.filter(({ id }) => id !== null) : fates).map(({ id }) => ({ id }));
  return reply(200, { data, ...((permissive || errors.length > 0) && { errors }) }, outcomeHeaders(outcome));
}

export const sendRoutes = [
  resend('POST /emails', 'send', send, { ...SEND_LIMITS, hot: true }),
  resend('POST /emails/batch', 'sendBatch', sendBatch, SEND_LIMITS),
];
