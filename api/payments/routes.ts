import type { Readable } from 'node:stream';
import { z } from 'zod';
import { openCheckout, takeNotification } from '../../src/records/payments';
import { endpoint, group, uploadEndpoint } from '../http/endpoint';
import { httpUrl } from '../http/pieces';

const Checkout = z
  .object({
    checkoutUrl: z.string().meta({ format: 'uri', description: 'Where the customer pays' }),
    sessionId: z.string().meta({ description: "The payment provider's id of the checkout" }),
  })
  .meta({ id: 'Checkout', description: 'A started checkout' });

const StartCheckout = z.strictObject({
  plan: z.enum(['starter', 'growth']),
  returnUrl: httpUrl.optional().meta({ description: 'Where the customer returns to' }),
});

async function bytesOf(stream: Readable | null): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Outside of `/v1`. */
export const checkoutRoutes = group('Billing', [
  endpoint('POST /api/payments/checkout', {
    operationId: 'startCheckout',
    summary: 'Start the checkout of a paid plan',
    description:
      'An extension outside of `/v1`. Send the customer to `checkoutUrl`; the plan starts when the provider reports the payment.',
    request: { body: StartCheckout },
    response: Checkout,
    errors: ['payments_disabled', 'invalid_state'],
    handle: ({ ctx, body }) => openCheckout(ctx, body.plan, body.returnUrl ?? null),
  }),
]);

/** For the payment provider alone; not in the OpenAPI document. */
export const notificationRoutes = group('Billing', [
  uploadEndpoint('POST /api/payments/webhook', {
    operationId: 'takePaymentNotification',
    summary: 'Accept signed notifications of the payment provider',
    access: 'none',
    takes: ['application/json'],
    response: z.object({}),
    errors: ['unauthorized'],
    // The signature is over the bytes as they came.
    handle: async ({ core, stream, incoming }) => {
      await takeNotification(core, await bytesOf(stream), incoming.headers);
      return {};
    },
  }),
]);
