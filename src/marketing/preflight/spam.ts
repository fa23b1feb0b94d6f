import { inLanes } from '../../platform/async';
import type { Context } from '../../platform/core';
import { fine, found, listed } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { spamScore } from '../../sending/spam-check';
import type { SpamScore } from '../../sending/spam-check';

const AT_ONCE = 5;
/** No message is sent to the spam filter after this. */
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

/** Scores the messages of a campaign with the spam filter. Resolves to the findings by language: no findings if no filter is configured. */
export async function checkSpam(
  ctx: Context,
  messages: ReadonlyMap<string | null, string>,
): Promise<ReadonlyMap<string | null, readonly Finding[]>> {
  const findings = new Map<string | null, readonly Finding[]>([...messages.keys()].map((language) => [language, [NO_VERDICT]]));
  const until = performance.now() + ALL_MS;
  await inLanes(messages, { atOnce: AT_ONCE, isOver: () => performance.now() >= until }, async ([language, message]) => {
    findings.set(language, await checkOne(ctx, message));
  });
  return findings;
}
