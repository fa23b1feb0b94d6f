import { z } from 'zod';
import { CONTENT_TYPE } from '../../src/message/mime';
import { once } from '../http/keys-and-repeats';
import { added, boundedArray, fault } from '../http/pieces';

const MAX_ATTACHMENTS = 10;

/** Matches ids that need no escape in a header or in a URL (RFC 2392). */
const CONTENT_ID = /^[A-Za-z0-9._+-]+(@[A-Za-z0-9.-]+)?$/;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const WHITE_SPACE = /[\t\n\f\r ]+/g;

/** Returns whether a text without white space is base64, whose padding may be missing but not wrong (RFC 4648 3.2). */
function isBase64(text: string): boolean {
  const isPadded = text.endsWith('=');
  return BASE64.test(text) && (isPadded ? text.length % 4 === 0 : text.length % 4 !== 1);
}

const base64 = z
  .string()
  .transform((text, ctx) => {
    const digits = text.replace(WHITE_SPACE, '');
    return isBase64(digits) ? Buffer.from(digits, 'base64') : fault(ctx, 'invalid_string', 'Must be base64');
  })
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
    .max(998)
    .regex(CONTENT_TYPE, 'Must be type/subtype, with parameters if any: text/csv; charset=utf-8')
    .default('application/octet-stream'),
  contentId: added(
    z.string().max(128).regex(CONTENT_ID, 'Letters, digits and . _ + -, and perhaps @ and a host').optional(),
    'shows the file in the HTML, as `<img src="cid:…">`; unique within a message',
  ),
});

/** Files of a message, as the core has them. */
export const attachments = boundedArray(attachment, 0, MAX_ATTACHMENTS)
  .superRefine(...once('contentId', 'The same contentId twice'))
  .transform((files) => files.map(({ contentId, ...file }) => ({ ...file, ...(contentId !== undefined && { cid: contentId }) })));
