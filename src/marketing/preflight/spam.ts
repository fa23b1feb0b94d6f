import type { Context } from '../../platform/core';
import { fine, found, listed } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { spamScore } from '../../sending/spam-check';
import type { SpamScore } from '../../sending/spam-check';
import { eachWithin } from './each-within';

/** The spam filter is asked about no message after this. */
const ALL_MS = 10_000;

const NO_VERDICT = found(
  'warn',
  'spam_score',
  'The spam filter gave no verdict.',
  'Run the checks again, or ask the operator to check SPAM_CHECK_URL.',
);

function judgeScore({ score, threshold, isSpam, rules }: SpamScore): Finding {
  const detail = listed([`score ${score}${threshold === null ? '' : ` of ${threshold}`}`, ...rules], ', ');
  if (!isSpam) return fine('spam_score', 'The spam filter lets the message pass.', detail);
  return found('warn', 'spam_score', 'The spam filter takes the message for spam.', 'Change what its heaviest rules name.', detail);
}

async function checkOne({ core }: Context, message: string): Promise<readonly Finding[]> {
  const score = await spamScore(core, message);
  if (score === null) return [];
  return [score === 'failed' ? NO_VERDICT : judgeScore(score)];
}

/** Asks the spam filter about the messages of a campaign, by language. Resolves to what it says of each; nothing where none is configured. */
export async function checkSpam(
  ctx: Context,
  messages: ReadonlyMap<string | null, string>,
): Promise<ReadonlyMap<string | null, readonly Finding[]>> {
  const findings = new Map<string | null, readonly Finding[]>([...messages.keys()].map((language) => [language, [NO_VERDICT]]));
  await eachWithin(messages, ALL_MS, async ([language, message]) => {
    findings.set(language, await checkOne(ctx, message));
  });
  return findings;
}
