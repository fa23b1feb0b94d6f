import { z } from 'zod';
import { AppError } from '../../src/errors';
import { endpoint } from '../http/endpoint';
import { unauthorized } from '../http/errors';
import { httpUrl } from '../http/pieces';

const Checkout = z.object({ checkoutUrl: z.string(), sessionId: z.string() });

export const paymentRoutes = [
  endpoint({
    method: 'post',
    path: '/api/payments/checkout',
    operationId: 'startCheckout',
    summary: 'Begin the purchase of a paid plan',
    tag: 'Billing',
    body: z.strictObject({ plan: z.enum(['starter', 'growth']), returnUrl: httpUrl.optional() }),
    response: Checkout,
    errors: ['payments_disabled'],
    handle: ({ ctx }) =>
      Promise.reject(
        ctx.core.config.PAYMENTS_API_URL === undefined
          ? new AppError('payments_disabled', 'This installation takes no payments')
          : new AppError('not_implemented', 'Payments are not available yet'),
      ),
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
    errors: ['unauthorized'],
    // As long as there is no provider, no signature is good.
    handle: () => Promise.reject(unauthorized()),
  }),
];
