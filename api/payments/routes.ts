import { z } from 'zod';
import { endpoint } from '../http/endpoint';
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
  }),
];
