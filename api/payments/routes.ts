import type { Readable } from 'node:stream';
import { z } from 'zod';
import { openCheckout, takeNotification } from '../../src/records/payments';
import { endpoint } from '../http/endpoint';
import { httpUrl } from '../http/pieces';

const Checkout = z.object({ checkoutUrl: z.string(), sessionId: z.string() });

async function bytesOf(stream: Readable | null): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export const paymentRoutes = [
  endpoint({
    method: 'post',
    path: '/api/payments/checkout',
    operationId: 'startCheckout',
    summary: 'Begin the purchase of a paid plan',
    tag: 'Billing',
    body: z.strictObject({ plan: z.enum(['starter', 'growth']), returnUrl: httpUrl.optional() }),
    response: Checkout,
    errors: ['payments_disabled', 'invalid_state', 'unavailable'],
    handle: ({ ctx, body }) => openCheckout(ctx, body.plan, body.returnUrl ?? null),
  }),
  endpoint({
    method: 'post',
    path: '/api/payments/webhook',
    operationId: 'takePaymentNotification',
    summary: "Take the payment provider's signed notifications",
    tag: 'Billing',
    auth: 'none',
    raw: ['application/json'],
    response: z.object({}),
    errors: ['unauthorized', 'validation_error'],
    // The signature is over the bytes as they came.
    handle: async ({ core, stream, incoming }) => {
      await takeNotification(core, await bytesOf(stream), incoming.headers);
      return {};
    },
  }),
];
