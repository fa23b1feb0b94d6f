/** Keys, and what looks like an address; bounded, so that a long text without any is gone through once. */
const SECRETS = /\b(sk|pk|whsec)_[\w+/=]+|[^\s"'<>{}:=]{1,64}@[^\s"'<>{},]+/g;
const LONGEST = 2_000;

const scrub = (text: string): string => text.slice(0, LONGEST).replaceAll(SECRETS, '[redacted]');

/** Describes an error and its causes without the data that a driver may have put into it: a failed write carries its documents, and duplicate keys the values. */
export function describeFailure(error: unknown, depth = 4): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: scrub(error.message.replace(/dup key:.*/s, 'dup key')),
    stack: scrub((error.stack ?? '').split('\n', 12).slice(1).join('\n')),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(error.cause !== undefined && depth > 0 && { cause: describeFailure(error.cause, depth - 1) }),
  };
}
