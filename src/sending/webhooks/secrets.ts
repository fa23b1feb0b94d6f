import { randomBytes } from 'node:crypto';
import type { Core } from '../../platform/core';
import type { SealContext, Secrets } from '../../platform/secrets';
import type { RetiringSecret, Webhook } from './model';
import { resealRows } from '../../platform/mongo';
import type { Renewal, Resealed } from '../../platform/mongo';
import { WebhookModel } from './model';

type Sealing = Pick<Core, 'secrets'>;
type Owner = Pick<Webhook, '_id' | 'projectId'>;

const SECRET_BYTES = 32;
const BOTH_SIGN_MS = 24 * 3_600_000;
/** Replaced secrets that still sign, at most: the header has to stay within the size that servers accept. */
const RETIRING_MAX = 4;

/** Names the row that an endpoint's secrets are sealed for. */
export const sealContextOf = ({ _id, projectId }: Owner): SealContext => ({ collection: 'webhooks', id: _id, projectId });

/** Creates a secret: `whsec_` and base64, as in Standard Webhooks. */
export const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Encrypts a signing secret, bound to the row that it is for. */
export const sealed = ({ secrets }: Sealing, owner: Owner, secret: string): string => secrets.encrypt(sealContextOf(owner), secret);

/** Returns the secrets that sign at this moment, the current one first. Throws when APP_SECRET does not open them. */
export const signingSecrets = ({ secrets }: Sealing, webhook: Webhook, now: Date): readonly string[] =>
  [webhook.secret, ...stillSigning(webhook.retiring, now).map((old) => old.sealed)].map((text) =>
    secrets.decrypt(sealContextOf(webhook), text),
  );

/** Returns the secrets that still sign once the current one is replaced, each for a day from its own replacement. */
export const retired = ({ secret, retiring }: Pick<Webhook, 'secret' | 'retiring'>, now: Date): readonly RetiringSecret[] =>
  [{ sealed: secret, until: new Date(now.getTime() + BOTH_SIGN_MS) }, ...stillSigning(retiring, now)].slice(0, RETIRING_MAX);

/** Filters replaced secrets that have not expired. */
const stillSigning = (retiring: readonly RetiringSecret[], now: Date): readonly RetiringSecret[] =>
  retiring.filter(({ until }) => until > now);

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
