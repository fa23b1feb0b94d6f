/** One question of an answer of `GET /v1/contacts/{id}/why`, with the facts that were recorded. */
export interface Judged {
  readonly check: string;
  readonly passed: boolean;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Explained {
  readonly verdict: string;
  readonly reason: string | null;
  readonly detail?: object;
  readonly judgements: readonly Judged[];
}

interface Reason {
  readonly reason: string;
  readonly detail?: unknown;
}

type Facts = Judged['facts'];

const stop = (stops: boolean, reason: string, detail?: object): Reason | null => (stops ? { reason, ...(detail && { detail }) } : null);

/** The rules as docs/certificates.md tells them: written for the tests, with nothing of the code that gives the answers. */
const RULES: Readonly<Record<string, (facts: Facts) => Reason | null>> = {
  audience: ({ selected }) => stop(selected !== true, 'not_in_audience'),
  campaign: ({ cancelled }) => stop(cancelled === true, 'cancelled'),
  restore: ({ mayHaveBeenSent }) => stop(mayHaveBeenSent === true, 'restored'),
  contact: ({ exists }) => stop(exists !== true, 'deleted'),
  suppression: ({ suppression }) => stop(suppression !== null && suppression !== 'unsubscribe', 'suppressed'),
  subscription: ({ marketing, subscribed, optedOut }) =>
    stop(marketing === true && (subscribed !== true || optedOut === true), 'unsubscribed'),
  topic: ({ marketing, topicId, inTopic }) => stop(marketing === true && topicId !== null && inTopic !== true, 'unsubscribed', { topicId }),
  snooze: ({ marketing, snoozedUntil, judgedAt }) =>
    stop(marketing === true && Date.parse(String(snoozedUntil)) > Date.parse(String(judgedAt)), 'unsubscribed', { snoozedUntil }),
  window: ({ window }) => stop(window !== null, 'limit_reached', { window }),
  person_limits: ({ reached }) => stop(reached !== null, 'limit_reached', reached as object),
  domain: ({ verified }) => stop(verified !== true, 'unverified_domain'),
  hold: ({ heldReason }) => stop(heldReason !== null, String(heldReason)),
};

/** Judges the recorded facts again, in their order. Null: nothing stops the message. A check that it does not know is a fault. */
export function reasonByFacts(judgements: readonly Judged[]): Reason | null {
  for (const { check, facts } of judgements) {
    const rule = RULES[check];
    if (!rule) throw new Error(`No rule for ${check}`);
    const reason = rule(facts);
    if (reason) return reason;
  }
  return null;
}
