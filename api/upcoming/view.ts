import type { z } from 'zod';
import type { Upcoming } from '../../src/marketing/upcoming';
import type { UpcomingEntry } from './schemas';

export const toUpcoming = ({ at, id: _id, ...entry }: Upcoming): z.input<typeof UpcomingEntry> => ({ at: at.toISOString(), ...entry });
