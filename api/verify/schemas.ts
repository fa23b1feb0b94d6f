import { z } from 'zod';
import { REASONS, RESULTS } from '../../src/records/verify';
import { optionalText } from '../http/pieces';

/** Any text: whether it is an address is the question. */
export const VerifyAddress = z.strictObject({ email: z.string() });

export const Verdict = z
  .object({
    email: z.string(),
    result: z.enum(RESULTS),
    reason: z.enum(REASONS),
    suggestion: optionalText.meta({ description: 'The address that was probably meant' }),
    checks: z.object({
      syntax: z.boolean(),
      mx: z.boolean(),
      disposable: z.boolean(),
      role: z.boolean(),
      freeProvider: z.boolean(),
      suppressed: z.boolean(),
      nullMx: z.boolean(),
    }),
  })
  .meta({ id: 'AddressVerdict', description: 'What DNS did not say is false; `result` is `unknown` then' });
