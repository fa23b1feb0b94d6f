import { notFound } from '../../platform/core';
import { findSuppression, liftSuppression } from '../../records/suppressions';
import type { Suppression } from '../../records/suppressions';
import { UNVERSIONED, hashOf } from './kind';
import type { Kind } from './kind';

const REASONS = {
  hard_bounce: 'a hard bounce',
  complaint: 'a complaint',
  unsubscribe: 'an opt-out',
  manual: 'an entry by hand',
} as const satisfies Record<Suppression['reason'], string>;

const hashOfRecord = ({ reason, source, hiddenOptOut }: Suppression): string => hashOf(reason, source, hiddenOptOut);

function effectOf({ reason, hiddenOptOut }: Suppression): string {
  const from = `Removes a suppression that is due to ${REASONS[reason]}: the address gets`;
  if (reason === 'unsubscribe') return `${from} marketing mail again.`;
  return hiddenOptOut ? `${from} mail again, except marketing mail.` : `${from} all mail again.`;
}

/** Returns how an approval to remove a suppression is carried out. */
export const lifting = ({ suppressionId }: { readonly suppressionId: string }): Kind => ({
  async describe(ctx) {
    const record = await findSuppression(ctx, suppressionId);
    if (!record) throw notFound('Suppression');
    return {
      summary: { text: effectOf(record), subject: null, recipients: null },
      basis: { version: UNVERSIONED, references: hashOfRecord(record) },
      shown: { subject: null, first: [record.email], excerpt: null },
      names: [record.email],
    };
  },
  async perform(ctx, _recipients, keep) {
    await liftSuppression(ctx, suppressionId, (session, record) =>
      keep(session, { version: UNVERSIONED, references: hashOfRecord(record) }),
    );
  },
  at: null,
  audited: ['suppression.delete', suppressionId],
});
