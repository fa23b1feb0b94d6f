import { model, rowSchema } from '../../platform/mongo';
import type { KeyKind } from '../projects';

/** A link that signs one person in, once. */
export interface ConsoleLink {
  /** Hash of the token in it. */
  readonly _id: string;
  readonly projectId: string;
  /** The person whom it signs in; null of an operator's link to a project. */
  readonly personId: string | null;
  readonly expiresAt: Date;
}

const linkSchema = rowSchema<ConsoleLink>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  personId: { type: String, default: null },
  expiresAt: { type: Date, required: true },
});
linkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 }); // one that was not used
linkSchema.index({ projectId: 1 }); // removal of a project

export const ConsoleLinkModel = model<ConsoleLink>('ConsoleLink', linkSchema, 'console_links');

/** A person who is signed in to the console of one project. */
export interface ConsoleSession {
  /** Hash of the token in the cookie. */
  readonly _id: string;
  readonly projectId: string;
  /** Hash of the key that it was made with, whose rights it has and with which it ends; null of a link's and of a person's. */
  readonly keyHash: string | null;
  /** The person who is signed in, with the role in the project; null of a key's, and of a link's, which has the rights of an owner. */
  readonly personId: string | null;
  readonly kind: Exclude<KeyKind, 'public'>;
  /** When a second factor of the person was shown in it; null where none was. */
  readonly factorAt: Date | null;
  readonly createdAt: Date;
  /** Moves on with its use, up to `endsAt`. */
  readonly expiresAt: Date;
  /** Whether the person signed in with the OpenID provider. */
  readonly bySso?: boolean;
  /** Its end, however much it is used. */
  readonly endsAt: Date;
}

const sessionSchema = rowSchema<ConsoleSession>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  keyHash: { type: String, default: null },
  personId: { type: String, default: null },
  kind: { type: String, enum: ['secret', 'test'], required: true },
  factorAt: { type: Date, default: null },
  bySso: { type: Boolean },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
  endsAt: { type: Date, required: true },
});
sessionSchema.index({ personId: 1, createdAt: -1 }); // the sessions of a person
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 }); // its end
sessionSchema.index({ projectId: 1 }); // removal of a project

export const ConsoleSessionModel = model<ConsoleSession>('ConsoleSession', sessionSchema, 'console_sessions');
