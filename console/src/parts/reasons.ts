import type { Schemas } from './api.ts';

/** Why mail waits, with what ends that. */
const HELD: Readonly<Record<string, string>> = {
  disabled: 'sending is disabled for this project. Ask an operator to enable it; sending then resumes',
  reputation_paused: 'sending is paused because of too many bounces or complaints. Clean your lists, then ask an operator to reset it',
  reputation_throttled: 'this hour’s reduced rate is used up, because of too many bounces or complaints. Sending resumes automatically',
  limit_reached: 'this month’s limit is used up. Raise it under Billing; otherwise sending resumes next month',
  free_tier_exceeded: 'the quota of the free plan is used up. Upgrade the plan; otherwise sending resumes next month',
  plan_quota_exceeded: 'the quota of the plan is used up. Upgrade the plan; otherwise sending resumes next month',
  paused: 'it was paused. Resume it to continue',
  sending_paused: 'an operator has paused all sending. It resumes automatically when the pause ends',
  frequency_cap: 'some recipients have reached a frequency cap. They get the message when the cap allows it; all others have it',
  feed_failed: 'the feed of the turn cannot be read. Lettermill retries for an hour, then skips the turn',
  provider_refuses:
    'a provider refuses the mail of this sender. Its recipients wait, and all others get it. It continues when the provider takes the mail',
  rollout_stopped: 'the results of a step stopped the rollout. See what was found, correct it, and resume the campaign',
  missed_turns: 'turns were missed. Choose whether the latest one is sent',
  restored: 'the database was restored, and this may have been sent already. Ask an operator to release it or mark it as sent',
};

/** Why somebody got no message. */
const SKIPPED: Readonly<Record<string, string>> = {
  disabled: 'sending was disabled for the project',
  suppressed: 'the address is suppressed',
  hard_bounce: 'hard bounce: the address does not exist',
  complaint: 'complaint: reported a message as spam',
  unsubscribe: 'the address unsubscribed',
  manual: 'the address was suppressed manually',
  unsubscribed: 'not subscribed',
  reputation_paused: 'sending was paused because of too many bounces or complaints',
  limit_reached: 'a monthly limit, a limit for the person, or a send window',
  free_tier_exceeded: 'the quota of the free plan was used up',
  plan_quota_exceeded: 'the quota of the plan was used up',
  deleted: 'the contact was deleted before sending',
  cancelled: 'it was cancelled before sending',
  missed: 'it was missed',
  nothing_new: 'the feed had nothing new',
  too_few_items: 'the feed had too few new entries',
  feed_failed: 'the feed could not be read for an hour',
  unverified_domain: 'the domain of the From address is not verified',
  not_in_audience: 'the contact is not in the audience',
  changed_since: 'not in the audience at the start; the contact would be in it now',
  restored: 'the database was restored; it may have been sent already',
};

const plain = (code: string): string => code.replaceAll('_', ' ');

export const heldWords = (code: string): string => HELD[code] ?? plain(code);

/** Returns the cause that a detail gives: a topic, a pause, a send window, or a limit for the person. */
function detailWords({ topicId, snoozedUntil, window, sendOnce, throttle, cap, expired }: Schemas['SkipDetail']): string | null {
  if (topicId !== undefined) return 'not in the topic';
  if (snoozedUntil !== undefined) return 'the contact pauses marketing mail';
  if (window !== undefined) return window === 'closed' ? 'the send window was closed' : 'the send window would have opened too late';
  if (sendOnce !== undefined) return `has, or is about to get, the message “${sendOnce}”`;
  if (throttle !== undefined) return `throttled by “${throttle}”`;
  if (cap === undefined) return null;
  return expired ? `the frequency cap “${cap}” would have had room too late` : `the frequency cap “${cap}” was reached`;
}

/** Says why somebody got no message; with a detail, more exactly. */
export const skippedWords = (code: string, detail?: Schemas['SkipDetail']): string =>
  (detail && detailWords(detail)) ?? SKIPPED[code] ?? plain(code);

/** Causes in the plan of a campaign, beyond the reason. */
const PLANNED: Readonly<Record<string, string>> = {
  topic: 'not in the topic',
  paused: 'the contact pauses marketing mail',
  closed: 'the send window is closed',
  expired: 'the send window opens too late',
};

/** Says why contacts would never get a campaign. */
export const plannedWords = (reason: string, detail = ''): string => PLANNED[detail] ?? skippedWords(SKIPPED[detail] ? detail : reason);
