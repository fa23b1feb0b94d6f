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
  frequency_cap: 'some recipients have reached a frequency cap. They get it when the cap has room, and all others have it',
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
  limit_reached: 'the monthly limit was used up',
  free_tier_exceeded: 'the quota of the free plan was used up',
  plan_quota_exceeded: 'the quota of the plan was used up',
  deleted: 'the contact was deleted before sending',
  cancelled: 'it was cancelled before sending',
  restored: 'the database was restored; it may have been sent already',
};

const plain = (code: string): string => code.replaceAll('_', ' ');

export const heldWords = (code: string): string => HELD[code] ?? plain(code);

export const skippedWords = (code: string): string => SKIPPED[code] ?? plain(code);
