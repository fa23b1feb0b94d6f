import { Schema, model } from 'mongoose';

/** Credits taken for campaign messages that are about to be made. What is not used is given back. */
export interface Reservation {
  readonly _id: string;
  readonly projectId: string;
  /** The month that was charged. */
  readonly month: string;
  readonly credits: number;
  /** Who makes the messages, by its lease. */
  readonly worker: string;
  /** The ids that the messages will have. */
  readonly emailIds: readonly string[];
  readonly createdAt: Date;
}

const reservationSchema = new Schema<Reservation>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    month: { type: String, required: true },
    credits: { type: Number, required: true },
    worker: { type: String, required: true },
    emailIds: { type: [String], required: true },
    createdAt: { type: Date, required: true },
  },
  { strict: 'throw', versionKey: false },
);
reservationSchema.index({ worker: 1 }); // what a lost worker had reserved
reservationSchema.index({ createdAt: 1 }); // what was left behind
export const ReservationModel = model<Reservation>('Reservation', reservationSchema, 'reservations');
