import { endpoint } from '../http/endpoint';
import { InboundMessage, InboundQuery, ReceiveMessage, Received } from './schemas';

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
  }),
];
