import { BLOCK_RATE } from './preflight/judges';
import { WARN_BOUNCE_RATE } from './reputation';

/** The time that the campaign waits after a step. */
export interface RolloutWait {
  readonly amount: number;
  readonly unit: 'minutes' | 'hours' | 'days';
}

/** Results of messages between two checks of a rollout. */
export interface RolloutCounts {
  readonly sent: number;
  /** Without those that were refused. */
  readonly bounced: number;
  /** Bounces for the sender's sake: by policy, reputation or content. */
  readonly refused: number;
  readonly complained: number;
  /** Messages that failed without a bounce, as those that cannot be rendered. */
  readonly failed: number;
}

/** Why a rollout was stopped after a step, and what to do about it. */
export interface RolloutFinding {
  readonly check: (typeof ROLLOUT_CHECKS)[number];
  readonly what: string;
  readonly how: string;
  /** The figures or replies that it is about. */
  readonly detail: string;
}

export const ROLLOUT_CHECKS = ['bounces', 'refusals', 'complaints', 'failures', 'provider_refuses'] as const;

/** Fewer messages stop no rollout, whatever their share: one unlucky recipient of a small step would. */
const LEAST = 3;

/** Returns how many recipients each step has, for shares of the audience that grow: the first step at least one, if there is one. */
export function stepRows(total: number, percents: readonly number[]): readonly number[] {
  const upTo = percents.map((percent) => Math.min(total, Math.max(1, Math.round((total * percent) / 100))));
  return upTo.map((end, index) => end - (upTo[index - 1] ?? 0));
}

const RULES: readonly (Omit<RolloutFinding, 'detail'> & { readonly of: Exclude<keyof RolloutCounts, 'sent'>; readonly rate: number })[] = [
  {
    check: 'bounces',
    of: 'bounced',
    rate: WARN_BOUNCE_RATE,
    what: 'At least 5 % of the messages bounced.',
    how: 'Remove old and bought addresses from the audience: cancel the campaign, clean the list, and send the rest a new one.',
  },
  {
    check: 'refusals',
    of: 'refused',
    rate: WARN_BOUNCE_RATE,
    what: 'At least 5 % of the messages were refused because of the sender or the content.',
    how: 'Read the replies in the mail log. Publish SPF, DKIM and DMARC, or correct the content, and resume the campaign.',
  },
  {
    check: 'complaints',
    of: 'complained',
    rate: BLOCK_RATE,
    what: 'At least 0.3 % of the recipients reported the message as spam.',
    how: 'Send only to people who asked for your mail. Cancel the campaign, or correct its content and resume it.',
  },
  {
    check: 'failures',
    of: 'failed',
    rate: WARN_BOUNCE_RATE,
    what: 'At least 5 % of the messages failed.',
    how: 'Read why in the mail log, correct the content or the mail server, and resume the campaign. Then retry the failed messages.',
  },
];

/** Judges what came of the messages of a step. Finds nothing where the next step may go out. */
export function judgeStep(counts: RolloutCounts): readonly RolloutFinding[] {
  return RULES.flatMap(({ of, rate, ...finding }) => {
    const count = counts[of];
    return count >= LEAST && count >= rate * counts.sent ? [{ ...finding, detail: `${count} of ${counts.sent} messages` }] : [];
  });
}

/** Returns what came since the checks before. */
export function countsSince(all: RolloutCounts, before: readonly (RolloutCounts | undefined)[]): RolloutCounts {
  const since = (name: keyof RolloutCounts): number =>
    Math.max(0, all[name] - before.reduce((sum, counts) => sum + (counts?.[name] ?? 0), 0));
  return {
    sent: since('sent'),
    bounced: since('bounced'),
    refused: since('refused'),
    complained: since('complained'),
    failed: since('failed'),
  };
}
