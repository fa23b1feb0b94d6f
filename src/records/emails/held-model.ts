import { model, rowSchema } from '../../platform/mongo';

/** A message that waits for an operator, after a restore: it is `queued`, and due at no time. */
export interface HeldMail {
  /** The message's id. */
  readonly _id: string;
  readonly projectId: string;
}

const heldSchema = rowSchema<HeldMail>({ _id: { type: String, required: true }, projectId: { type: String, required: true } });
export const HeldMailModel = model<HeldMail>('HeldMail', heldSchema, 'held_emails');
