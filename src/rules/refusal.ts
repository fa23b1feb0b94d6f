/** Returns what a recipient's own state forbids: blocking reasons stop every message; an opt-out or an unsubscribed contact stops marketing mail. */
export function refusal(
  type: 'transactional' | 'marketing',
  suppression: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual' | null,
  subscribed: boolean,
): 'suppressed' | 'unsubscribed' | null {
  if (suppression !== null && suppression !== 'unsubscribe') return 'suppressed';
  return type === 'marketing' && (suppression === 'unsubscribe' || !subscribed) ? 'unsubscribed' : null;
}
