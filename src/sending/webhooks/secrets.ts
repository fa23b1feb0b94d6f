import { randomBytes } from 'node:crypto';
import type { Core } from '../../platform/core';
import type { SecretPlace } from '../../platform/secrets';
import type { RetiringSecret, Webhook } from './model';

type Sealing = Pick<Core, 'secrets'>;
type Place = Pick<Webhook, '_id' | 'projectId'>;

const SECRET_BYTES = 32;
const BOTH_SIGN_MS = 24 * 3_600_000;
/** Of secrets that are replaced every hour only the last few go on signing: a header has to stay of a size that servers take. */
const RETIRING_MAX = 4;

/** Where an endpoint's secrets are sealed for. */
export const placeOf = ({ _id, projectId }: Place): SecretPlace => ({ collection: 'webhooks', id: _id, projectId });

/** `whsec_` and base64, as Standard Webhooks has it. */
export const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

export const sealed = ({ secrets }: Sealing, place: Place, secret: string): string => secrets.encrypt(placeOf(place), secret);

/** The secrets that sign at this moment, the current one first. Throws when APP_SECRET does not open them. */
export const signingSecrets = ({ secrets }: Sealing, webhook: Webhook, now: Date): readonly string[] =>
  [webhook.secret, ...stillSigning(webhook.retiring, now).map((old) => old.sealed)].map((text) => secrets.decrypt(placeOf(webhook), text));

/** What goes on signing once the current secret is replaced: it does for a day, and so do those before it, each for its own. */
export const retired = ({ secret, retiring }: Pick<Webhook, 'secret' | 'retiring'>, now: Date): readonly RetiringSecret[] =>
  [{ sealed: secret, until: new Date(now.getTime() + BOTH_SIGN_MS) }, ...stillSigning(retiring, now)].slice(0, RETIRING_MAX);

/** Those that were replaced and have not ended. */
export const stillSigning = (retiring: readonly RetiringSecret[], now: Date): readonly RetiringSecret[] =>
  retiring.filter(({ until }) => until > now);
