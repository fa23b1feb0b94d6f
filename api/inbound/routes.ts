import { Readable } from 'node:stream';
import { z } from 'zod';
import { getReceivedAttachment } from '../../src/sending/inbound';
import * as inbound from '../../src/sending/inbound';
import { Streamed, paged } from '../http/answers';
import { endpoint, extensions, group, listEndpoint, streamEndpoint } from '../http/endpoint';
import { AttachmentParams, InboundMessage, InboundQuery, ReceiveMessage, Received } from './schemas';
import type { Email } from '../../src/records/emails';

export const inboundRoutes = group('Inbound', [
  endpoint('POST /v1/inbound', {
    operationId: 'receiveMessage',
    summary: 'Accept a message as if it had arrived by mail',
    request: { body: ReceiveMessage },
    status: 201,
    response: Received,
    errors: ['limit_reached'],
    handle: async ({ ctx, body }) => ({ emailId: await inbound.receiveMessage(ctx, body) }),
  }),
  listEndpoint('GET /v1/inbound', {
    operationId: 'listInbound',
    summary: 'List received messages, newest first',
    request: { query: InboundQuery },
    response: InboundMessage,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(inbound.listReceived(ctx, query, page), toInboundMessage),
  }),
]);

const toInboundMessage = ({ _id, received, attachments, ...email }: Email): z.input<typeof InboundMessage> => ({
  emailId: _id,
  ...email,
  status: 'received',
  inReplyTo: received?.inReplyTo ?? null,
  references: received?.references ?? [],
  authentication: received?.authentication ?? null,
  attachments: attachments.map(({ filename, contentType, size, blobId }, index) => ({
    attachmentId: String(index),
    filename,
    contentType,
    size,
    kept: blobId !== null,
  })),
});

/** Returns a `Content-Disposition` for any file name (RFC 6266, RFC 8187). */
const dispositionOf = (filename: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(Buffer.from(filename).toString()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`;

export const inboundExtensions = extensions('Extensions', [
  streamEndpoint('GET /v1/inbound/{id}/attachments/{attachmentId}', {
    operationId: 'getInboundAttachment',
    summary: 'Download an attachment of a received message',
    description:
      'The bytes as the sender attached them, unchecked, with the media type from the sender. 404 if the attachment was too large to be stored.',
    request: { params: AttachmentParams },
    response: z.string(),
    produces: 'application/octet-stream',
    handle: async ({ ctx, params }) => {
      const { filename, contentType, content } = await getReceivedAttachment(ctx, params.id, params.attachmentId);
      return new Streamed(Readable.from([content], { objectMode: false }), {
        'Content-Type': contentType,
        'Content-Length': String(content.length),
        'Content-Disposition': dispositionOf(filename),
      });
    },
  }),
]);
