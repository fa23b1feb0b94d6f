import { AppError, invalidRequest } from '../../platform/core';
import type { Result, SendRequest } from './types';

/** Returns the failure that refuses a whole request: that of its first message that fails. Null where none fails, or where each has an entry of its own in the answer. */
export function failureOfAll({ endpoint, allOrNothing }: SendRequest, results: readonly Result<unknown>[]): AppError | null {
  if (endpoint === 'batch' && !allOrNothing) return null;
  const index = results.findIndex((result) => 'failed' in result);
  const result = results[index];
  if (!result || !('failed' in result)) return null;
  const failed = endpoint !== 'batch' ? result.failed : inBatch(index, result.failed);
  // What a member of the body names is at fault, and not the message.
  return result.failed.details[0]?.path ? invalidRequest(failed.details) : failed;
}

/** Returns the failure of a message of a batch, with the message's index in the paths. */
function inBatch(index: number, { code, message, details, headers }: AppError): AppError {
  const prefixed = details.map((detail) => ({ ...detail, path: detail.path === '' ? `${index}` : `${index}.${detail.path}` }));
  return new AppError(code, message, prefixed, { headers });
}
