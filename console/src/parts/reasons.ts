/** Why mail waits, with what ends that. */
const HELD: Readonly<Record<string, string>> = {
  disabled: 'sending is disabled for this project. An operator enables it again, and it goes on',
  reputation_paused:
    'sending is paused, for too much mail came back or was complained about. Clean the lists, then ask an operator to reset it',
  reputation_throttled:
    'the rate of this hour is used up, for too much mail came back or was complained about. It goes on slowly, by itself',
  limit_reached: 'the cap of this month is used up. Raise it under Billing, or it goes on with the next month, by itself',
  free_tier_exceeded: 'the quota of the free plan is used up. Take a larger plan, or it goes on with the next month, by itself',
  plan_quota_exceeded: 'the quota of the plan is used up. Take a larger plan, or it goes on with the next month, by itself',
  sending_paused: 'an operator has paused the sending of all mail. It goes on when that is over, by itself',
  restored: 'the database was restored, and this may have been sent before. An operator decides what becomes of it',
};

/** Why somebody got no message. */
const SKIPPED: Readonly<Record<string, string>> = {
  disabled: 'sending was disabled for the project',
  suppressed: 'the address is suppressed',
  hard_bounce: 'the address does not exist (hard bounce)',
  complaint: 'complained about a message',
  unsubscribe: 'the address has opted out',
  manual: 'suppressed by hand',
  unsubscribed: 'not subscribed',
  reputation_paused: 'sending was paused, for too much mail came back',
  limit_reached: 'the cap of the month was used up',
  free_tier_exceeded: 'the quota of the free plan was used up',
  plan_quota_exceeded: 'the quota of the plan was used up',
  deleted: 'the contact was deleted before',
  cancelled: 'it was cancelled before',
  restored: 'the database was restored; it may have been sent before',
};

const plain = (code: string): string => code.replaceAll('_', ' ');

export const heldWords = (code: string): string => HELD[code] ?? plain(code);

export const skippedWords = (code: string): string => SKIPPED[code] ?? plain(code);
