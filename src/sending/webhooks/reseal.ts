import { resealRows } from '../../platform/mongo';
import type { Renewal, Resealed } from '../../platform/mongo';
import type { Secrets } from '../../platform/secrets';
import { WebhookModel } from './model';
import type { Webhook } from './model';
import { sealContextOf, stillSigning } from './secrets';

/** Re-encrypts the secrets of all endpoints with the newest APP_SECRET. Drops retired ones that no longer sign. */
export const resealWebhookSecrets = (secrets: Secrets, now: Date): Promise<Resealed> =>
  resealRows(WebhookModel, { fields: ['secret', 'retiring'] }, (row) => renewalOf(secrets, row, now));

function renewalOf(secrets: Secrets, row: Webhook, now: Date): Renewal<Webhook> | null {
  const renewed = (text: string): string => secrets.reseal(sealContextOf(row), text) ?? text;
  const signing = stillSigning(row.retiring, now);
  const set = { secret: renewed(row.secret), retiring: signing.map(({ sealed, until }) => ({ sealed: renewed(sealed), until })) };
  const isDone = set.secret === row.secret && signing.length === row.retiring.length && set.retiring.every(isIn(row));
  return isDone ? null : { was: { secret: row.secret, retiring: row.retiring }, set };
}

const isIn =
  ({ retiring }: Webhook) =>
  ({ sealed }: Webhook['retiring'][number], at: number): boolean =>
    sealed === retiring[at]?.sealed;
