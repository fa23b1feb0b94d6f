import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { ContactChange } from '../../rules/contact-change';
import type { OptInTimes } from '../../rules/opt-in-times';

/** Ways in which a link confirms: by the button of its page, or by opening it. */
export const CONFIRM_BY = ['button', 'link'] as const;
export type ConfirmBy = (typeof CONFIRM_BY)[number];

/** A person's request for mail, which they have to confirm. */
export interface OptIn extends OptInTimes {
  /** `addressId('opt', project.idSalt, email)`: one of an address, however many requests race. */
  readonly _id: string;
  readonly projectId: string;
  readonly contactId: string;
  readonly email: string;
  readonly testMode: boolean;
  readonly status: 'pending' | 'confirmed';
  readonly confirmedAt: Date | null;
  /** All of them are confirmed together. */
  readonly topics: readonly string[];
  /** Fields of the contact once it is confirmed. */
  readonly fields: Omit<ContactChange, 'subscribed'>;
  readonly locale: string | null;
  /** The text that was agreed to, as it was shown. */
  readonly text: string | null;
  readonly formId: string | null;
  readonly confirm: ConfirmBy;
  /** The confirmation's template; null for the platform's own. */
  readonly templateId: string | null;
  /** The newest confirmation. */
  readonly emailId: string | null;
}

const text = { type: String, default: null };
const instant = { type: Date, default: null };

const optInSchema = rowSchema<OptIn>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    contactId: { type: String, required: true },
    email: { type: String, required: true },
    testMode: { type: Boolean, required: true },
    status: { type: String, enum: ['pending', 'confirmed'], required: true },
    requestedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    confirmedAt: instant,
    mails: { type: Number, required: true },
    lastMailAt: instant,
    nextMailAt: instant,
    topics: { type: [String], required: true },
    fields: { type: Schema.Types.Mixed, required: true },
    locale: text,
    text,
    formId: text,
    confirm: { type: String, enum: CONFIRM_BY, required: true },
    templateId: text,
    emailId: text,
  },
  { minimize: false },
);
optInSchema.index({ projectId: 1, contactId: 1 }); // erasure of a person, and removal of a project

export const OptInModel = model<OptIn>('OptIn', optInSchema, 'opt_ins');
