import { z } from 'zod';
import { boundedArray, extended, fault } from '../http/pieces';

const MAX_ATTACHMENTS = 10;
/** What needs no escape in a header or in a URL (RFC 2392). */
const CONTENT_ID = /^[A-Za-z0-9._+-]+(@[A-Za-z0-9.-]+)?$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const base64 = z
  .string()
  .transform((text, ctx) =>
    text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, 'base64') : fault(ctx, 'invalid_string', 'Not base64'),
  )
  .meta({ contentEncoding: 'base64' });

const attachment = z.strictObject({
  filename: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^/\\\r\n\0]*$/, 'A file name is one line without slashes'),
  content: base64,
  contentType: z
    .string()
    .regex(/^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}$/, 'Must be type/subtype')
    .default('application/octet-stream'),
  contentId: extended(
    z.string().max(128).regex(CONTENT_ID, 'Letters, digits and . _ + -, and perhaps @ and a host').optional(),
    'An extension of this implementation: shows the file in the HTML, as `<img src="cid:…">`; each once in a message',
  ),
});

/** Files of a message, as the core has them. */
export const attachments = boundedArray(attachment, 0, MAX_ATTACHMENTS).transform((files, ctx) => {
  const ids = files.map(({ contentId }) => contentId);
  ids.forEach((contentId, index) => {
    if (contentId !== undefined && ids.indexOf(contentId) < index)
      fault(ctx, 'invalid_combination', 'The same contentId twice', [index, 'contentId']);
  });
  return files.map(({ contentId, ...file }) => ({ ...file, ...(contentId !== undefined && { cid: contentId }) }));
});
