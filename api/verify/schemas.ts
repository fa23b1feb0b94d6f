import { z } from 'zod';
import { optionalText } from '../http/pieces';

/** Any text: whether it is an address is the question. */
export const VerifyAddress = z.strictObject({ email: z.string().max(1_000) });

export const Verdict = z
  .object({
    email: z.string(),
    result: z.enum(['deliverable', 'risky', 'undeliverable', 'unknown']),
    reason: z.string(),
    suggestion: optionalText,
    checks: z.object({
      syntax: z.boolean(),
      mx: z.boolean().nullable(),
      disposable: z.boolean(),
      role: z.boolean(),
      freeProvider: z.boolean(),
      suppressed: z.boolean(),
      nullMx: z.boolean().nullable(),
    }),
  })
  .meta({ id: 'AddressVerdict', description: 'A check is null when DNS did not say' });
