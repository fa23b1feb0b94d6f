import { model, rowSchema } from '../../platform/mongo';

/** A challenge that an authenticator has to sign, once. */
export interface PasskeyChallenge {
  /** Hash of the challenge. */
  readonly _id: string;
  /** The person who adds a passkey; null of a challenge to sign in with. */
  readonly personId: string | null;
  readonly expiresAt: Date;
}

const challengeSchema = rowSchema<PasskeyChallenge>({
  _id: { type: String, required: true },
  personId: { type: String, default: null },
  expiresAt: { type: Date, required: true },
});
challengeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 }); // one that was not used

export const PasskeyChallengeModel = model<PasskeyChallenge>('PasskeyChallenge', challengeSchema, 'passkey_challenges');
