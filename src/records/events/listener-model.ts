import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** The names that automations, segments and webhooks of a project listen to: one small document, read with every batch of events. */
export interface Listeners {
  /** The project; with `/` and a number, a stripe, which only counts references. */
  readonly _id: string;
  /** Grows with each change, for caches of listeners to compare. */
  readonly version: number;
  readonly entries: readonly { readonly id: string; readonly names: readonly string[] }[];
  /** All names together; `*` and `<prefix>.*` stand for more. */
  readonly names: readonly string[];
  /** Grows with writes that name what a delete may remove. */
  readonly references?: number;
}

const listenersSchema = rowSchema<Listeners>({
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  entries: { type: [Schema.Types.Mixed], required: true },
  names: { type: [String], required: true },
  references: Number,
});
export const ListenersModel = model<Listeners>('Listeners', listenersSchema, 'event_listeners');
