import * as inbound from '../../src/inbound/service';
import { endpoint } from '../http/endpoint';
import { InboundMessage, InboundQuery, ReceiveMessage, Received } from './schemas';
import { toInboundMessage } from './view';

const tag = 'Inbound';

export const inboundRoutes = [
  endpoint({
    method: 'post',
    path: '/v1/inbound',
    operationId: 'receiveMessage',
    summary: 'Take in a message as if it had come by mail',
    tag,
    status: 201,
    body: ReceiveMessage,
    response: Received,
    errors: ['limit_reached'],
    handle: async ({ ctx, body }) => ({ emailId: await inbound.receiveMessage(ctx, body) }),
  }),
  endpoint({
    method: 'get',
    path: '/v1/inbound',
    operationId: 'listInbound',
    summary: 'List received messages, newest first',
    tag,
    query: InboundQuery,
    response: InboundMessage,
    list: 'cursor',
    handle: async ({ ctx, query, page }) => {
      const { rows, next } = await inbound.listReceived(ctx, query, page);
      return { rows: rows.map(toInboundMessage), next };
    },
  }),
];
