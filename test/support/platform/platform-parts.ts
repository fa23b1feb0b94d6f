import type { Client } from '@temporalio/client';
import { forTheFile } from '../run/for-the-file';
import type { Answer, Part, Platform } from './platform';

/** A client of a platform’s Temporal namespace for the tests of a file. */
export const aTemporalClient = (platform: Platform): Client =>
  forTheFile(
    () => platform.temporalClient(),
    (client) => client.connection.close(),
  );

/** One more process for the tests of a file. */
export const aPart = (make: () => Part): Part =>
  forTheFile(
    async () => {
      const part = make();
      await part.start();
      return part;
    },
    (part) => part.stop(),
  );

/** Takes a member out of what was made, its id; fails unless it was made. */
export async function made(answer: Promise<Answer>, member: string): Promise<string> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data[member] as string;
}
