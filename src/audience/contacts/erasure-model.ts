import { model, rowSchema } from '../../platform/mongo';

/** The remaining work after a contact was deleted. */
export interface ContactErasure {
  readonly _id: string;
  readonly projectId: string;
  readonly contactId: string;
  /** When it was deleted: what came later belongs to a contact made again. By the database's clock. */
  readonly before: Date;
}

const erasureSchema = rowSchema<ContactErasure>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  contactId: { type: String, required: true },
  before: { type: Date, required: true },
});
erasureSchema.index({ before: 1, _id: 1 }); // sweep: what was deleted a while ago

export const ContactErasureModel = model<ContactErasure>('ContactErasure', erasureSchema, 'contact_erasures');
