import { notFound } from '../../../src/platform/core';
import type { Position } from '../../../src/platform/core';
import { findEmail, getEmail } from '../../../src/records/emails';
import { resendMailbox } from '../../../src/rules/resend-names';
import { listReceived } from '../../../src/sending/inbound';
import type { Email } from '../../../src/records/emails';
import type { Foreign } from '../kit/declare';
import { sliceIn, sliceOf, wantedOf } from '../kit/slices';
import { listOf, resend } from './declare';

type File = Email['attachments'][number] & { readonly index: number };

const fileView = ({ index, filename, size, contentType, cid }: File) => ({
  id: String(index),
  filename,
  size,
  content_type: contentType,
  content_id: cid ?? null,
  content_disposition: cid === undefined ? 'attachment' : 'inline',
});

const filesOf = ({ attachments }: Email): readonly File[] => attachments.map((file, index) => ({ ...file, index }));

const view = (email: Email) => ({
  id: email._id,
  to: [email.to],
  from: resendMailbox(email.fromEmail, email.fromName),
  created_at: email.createdAt.toISOString(),
  subject: email.subject,
  bcc: null,
  cc: null,
  reply_to: email.replyTo === null ? null : [email.replyTo],
  received_for: [email.to],
  message_id: email.messageId,
  attachments: filesOf(email).map(fileView),
});

async function find({ ctx, params: { id = '' } }: Pick<Foreign, 'ctx' | 'params'>): Promise<Email> {
  const email = await findEmail(ctx.projectId, id);
  if (email?.source !== 'inbound') throw notFound('Email');
  return email;
}

async function list({ ctx, query }: Foreign) {
  const positionOf = async (id: string): Promise<Position> => ({ at: (await find({ ctx, params: { id } })).createdAt, id });
  const read = (page: Parameters<typeof listReceived>[2]) => listReceived(ctx, {}, page);
  return listOf(await sliceOf({ read, idOf: ({ _id }: Email) => _id, positionOf }, wantedOf(query)), view);
}

async function get(request: Foreign) {
  const email = await find(request);
  const { bodies } = await getEmail(request.ctx, email._id);
  return {
    object: 'email',
    ...view(email),
    html: bodies.html === '' ? null : bodies.html,
    text: bodies.text === '' ? null : bodies.text,
    headers: email.headers && Object.fromEntries(email.headers),
    // The bytes of received mail are not kept.
    raw: null,
  };
}

// Bytes are at `/v1`, for the same key.
const downloadable = ({ ctx, params }: Foreign, file: File) => ({
  ...fileView(file),
  download_url: `${ctx.core.config.PUBLIC_URL}/v1/inbound/${params['id'] ?? ''}/attachments/${file.index}`,
  expires_at: null,
});

export const receivingRoutes = [
  resend('GET /emails/receiving', 'listInbound', list),
  resend('GET /emails/receiving/{id}', 'listInbound', get),
  resend('GET /emails/receiving/{id}/attachments', 'listInbound', async (request) => {
    const slice = sliceIn(filesOf(await find(request)), ({ index }) => String(index), wantedOf(request.query));
    return listOf(slice, (file) => downloadable(request, file));
  }),
  resend('GET /emails/receiving/{id}/attachments/{attachmentId}', 'listInbound', async (request) => {
    const file = filesOf(await find(request)).find(({ index }) => String(index) === request.params['attachmentId']);
    if (!file) throw notFound('Attachment');
    return { object: 'attachment', ...downloadable(request, file) };
  }),
];
