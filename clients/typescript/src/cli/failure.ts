import { ApiError, ConnectionError, KeyError, LettermillError, RateLimitError, ValidationError } from '../errors.ts';

/** Exit codes, which scripts may rely on. */
export const EXIT = { done: 0, failed: 1, usage: 2, key: 3, notFound: 4, invalid: 5, limited: 6, unreachable: 7 } as const;

/** The command is not written as it must be. */
export class UsageError extends LettermillError {
  override readonly name = 'UsageError';
}

/** Returns the exit code of a failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof KeyError) return EXIT.key;
  if (error instanceof ValidationError) return EXIT.invalid;
  if (error instanceof RateLimitError) return EXIT.limited;
  if (error instanceof ConnectionError) return EXIT.unreachable;
  return error instanceof ApiError && error.status === 404 ? EXIT.notFound : EXIT.failed;
}

/** Returns a failure as lines for people: each fault, and where to read about it. */
export function explained(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const faults = error.details.map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}`);
  const about = [error.requestId && `request ${error.requestId}`, error.helpUrl].filter(Boolean).join(', ');
  return [`${error.message} (${error.code})`, ...faults, ...(about ? [`  ${about}`] : [])].join('\n');
}
