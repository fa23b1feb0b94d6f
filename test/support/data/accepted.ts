import type { Outcome } from '../../../src/records/emails/attempts';
import { holding } from '../../../src/records/emails/history';
import { toRow } from '../../../src/records/emails/row';
import { campaignHappenings } from '../../../src/sending/deliver/counts';
import type { AcceptedAlike } from '../../../src/sending/deliver/record';

/** Returns accepted messages of a claim of campaign mail as their recorder gets them. */
export const acceptedAlike = (projectId: string, accepted: readonly Outcome[]): AcceptedAlike => ({
  projectId,
  to: accepted.map(({ email }) => email.to),
  outcomeAt: (at) => accepted[at] as Outcome,
  rows: () => accepted.map((outcome) => toRow(outcome.email, { ...outcome.set, ...holding(outcome, outcome.email.createdAt) })),
  happenings: (lost) => accepted.filter(({ email }) => !lost.has(email._id)).flatMap(campaignHappenings),
});
