import { AppError } from '../../platform/core';
import type { BatchEntry, CopyResults, Entry, EntryError, SendReply, SendRequest } from './types';

const entryError = ({ code, message, details }: AppError): EntryError => ({ error: { code, message, details } });

const NONE: Entry = { results: [] };

/**
 * Makes the payload's `results`: one entry per recipient for `POST /v1/send`, one per message for a batch, with `cc` and `bcc` beside them.
 * Throws the message's own failure when it is the only one asked for.
 */
export function answerOf(request: SendRequest, entries: readonly (Entry | AppError)[]): Pick<SendReply, 'results'> & CopyResults {
  if (request.endpoint === 'send') {
    const [only = NONE] = entries;
    if (only instanceof AppError) throw only;
    return only;
  }
  const results = entries.map((entry, index): BatchEntry => {
    if (entry instanceof AppError) return entryError(entry);
    const { results: toAll, ...copies } = entry;
    const [first] = toAll;
    return request.messages[index]?.toMany || !first ? entry : { ...first, ...copies };
  });
  return { results };
}
