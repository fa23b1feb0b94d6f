import { model, rowSchema } from '../../platform/mongo';

/** A sign-in that has begun at the provider. It holds no secret: what the provider has to answer derives from the browser's own token. */
interface SsoAttempt {
  /** Hash of the state that comes back from the provider. */
  readonly _id: string;
  /** Hash of the token in the cookie of the browser that began it. */
  readonly browser: string;
  readonly expiresAt: Date;
}

const attemptSchema = rowSchema<SsoAttempt>({
  _id: { type: String, required: true },
  browser: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
attemptSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 }); // one that was given up

export const SsoAttemptModel = model<SsoAttempt>('SsoAttempt', attemptSchema, 'sso_attempts');
