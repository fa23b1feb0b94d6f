import mongoose from 'mongoose';
import { withinLimit } from '../async';

const MEASURED_FOR_MS = 60_000;
/** All who ask wait for one answer: a connection that went dead must not hold them up for ever. */
const ANSWER_MS = 5_000;

let offsetMs = 0;
let measuredAt = Number.NEGATIVE_INFINITY;
let measuring: Promise<void> | null = null;

async function measure(): Promise<void> {
  const began = Date.now();
  const reply = await mongoose.connection.db?.command({ hello: 1 });
  const ended = Date.now();
  const serverTime = (reply?.['localTime'] as Date | undefined)?.getTime();
  if (serverTime === undefined) return;
  const ahead = serverTime - ended;
  const behind = serverTime - began;
  // A difference smaller than the round trip cannot be measured.
  offsetMs = ahead > 0 ? ahead : behind < 0 ? behind : 0;
  measuredAt = performance.now();
}

/** Resolves to the database's time, as all processes of all machines see it alike. Asked of the server once a minute. */
export async function databaseNow(): Promise<Date> {
  if (performance.now() - measuredAt > MEASURED_FOR_MS) {
    measuring ??= withinLimit(ANSWER_MS, measure).finally(() => {
      measuring = null;
    });
    await measuring;
  }
  return new Date(Date.now() + offsetMs);
}
