import type { z } from 'zod';
import type { Context } from '../../src/platform/core';
import { askForEvent } from '../contacts/opt-in';
import type { IngestEvent } from './schemas';

/** Returns what asks the person of an event to confirm, where it is sent with `optIn`. */
export const confirmationOf = (ctx: Context, { optIn, email, topics = [], consent }: z.output<typeof IngestEvent>) =>
  optIn === undefined || email === undefined ? undefined : () => askForEvent(ctx, { email, topics, consent });
