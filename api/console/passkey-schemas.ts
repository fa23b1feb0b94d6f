import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';

const text = z.string().max(12_000);
const id = z.string().min(1).max(2_000);

/** The members of every answer of an authenticator. Their contents are checked where they are verified. */
const answer = { id, rawId: id, type: z.literal('public-key'), clientExtensionResults: z.looseObject({}) };

/** A passkey that a browser has made, as `toJSON` writes it. */
export const Registration = z
  .looseObject({
    ...answer,
    response: z.looseObject({ clientDataJSON: text, attestationObject: text, transports: z.array(z.string().max(50)).max(20).optional() }),
  })
  .transform((given) => given as unknown as RegistrationResponseJSON);

/** The signature of a passkey, as `toJSON` writes it. */
export const Authentication = z
  .looseObject({
    ...answer,
    response: z.looseObject({ clientDataJSON: text, authenticatorData: text, signature: text, userHandle: z.string().max(200) }),
  })
  .transform((given) => given as unknown as AuthenticationResponseJSON);
