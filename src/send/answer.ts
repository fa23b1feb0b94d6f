import { AppError } from '../errors';
import type { BatchEntry, EntryError, SendRequest, SendResult } from './types';

const entryError = ({ code, message, details }: AppError): EntryError => ({ error: { code, message, details } });

/**
 * The payload's `results`: one entry per recipient for `POST /v1/send`, one per message for a batch.
 * Throws the message's own failure when it is the only one asked for.
 */
export function answerOf(request: SendRequest, entries: readonly (readonly SendResult[] | AppError)[]): readonly BatchEntry[] {
  if (request.endpoint === 'send') {
    const [only = []] = entries;
    if (only instanceof AppError) throw only;
    return only;
  }
  return entries.map((entry, index): BatchEntry => {
    if (entry instanceof AppError) return entryError(entry);
    const [first] = entry;
    return request.messages[index]?.toMany || !first ? { results: entry } : first;
  });
}
