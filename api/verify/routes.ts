import { verifyAddress } from '../../src/records/verify';
import { endpoint } from '../http/endpoint';
import { Verdict, VerifyAddress } from './schemas';

const tag = 'Verify';

export const verifyRoutes = [
  endpoint({
    method: 'post',
    path: '/v1/verify',
    operationId: 'verifyAddress',
    summary: 'Judge an address without writing to it',
    description: 'Bad syntax is a verdict (`undeliverable`), not a 422.',
    tag,
    body: VerifyAddress,
    response: Verdict,
    handle: ({ ctx, body }) => verifyAddress(ctx, body.email),
  }),
];
