import { verifyAddress, REASONS, RESULTS } from '../../src/records/verify';
import { endpoint, group } from '../http/endpoint';
import { z } from 'zod';
import { optionalText } from '../http/pieces';

/** Any text: whether it is an address is the question. */
const VerifyAddress = z.strictObject({ email: z.string() });

const Verdict = z
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
  .meta({ id: 'AddressVerdict', description: 'Values that DNS did not answer are false; `result` is then `unknown`' });

export const verifyRoutes = group('Verify', [
  endpoint('POST /v1/verify', {
    operationId: 'verifyAddress',
    summary: 'Verify an address without sending to it',
    description: 'Bad syntax is a verdict (`undeliverable`), not a 422.',
    request: { body: VerifyAddress },
    response: Verdict,
    handle: ({ ctx, body }) => verifyAddress(ctx, body.email),
  }),
]);
