import { isUtf8 } from 'node:buffer';

const NAME = '[A-Za-z0-9!#$&^_.+-]{1,127}';
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,127}";
const QUOTED = String.raw`"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*"`;
const PARAMETER = `[ \\t]*;[ \\t]*(${TOKEN})=(${TOKEN}|${QUOTED})`;

/** The type of a file with its parameters (RFC 2045 5.1), without comments and without any character that could end the header field. */
export const CONTENT_TYPE = new RegExp(`^${NAME}/${NAME}(?:${PARAMETER})*$`);
const PARAMETERS = new RegExp(PARAMETER, 'g');

const UNTYPED = 'application/octet-stream';
/** They may not be base64 (RFC 2045 6.4). */
const NOT_ENCODABLE = /^(?:message|multipart)\//i;

const hasParameter = (contentType: string, wanted: string): boolean =>
  [...contentType.matchAll(PARAMETERS)].some(([, name]) => name?.toLowerCase() === wanted);

/** Returns whether a file is an invitation, which mail programs expect next to the texts (RFC 6047 2.4). */
export const isInvitation = (contentType: string): boolean =>
  /^text\/calendar[ \t;]/i.test(contentType) && hasParameter(contentType, 'method');

/** Returns the type that a file gets in mail: text in UTF-8 says so, and what cannot be base64, or is no type, is a file of any kind. */
export function typeInMail(contentType: string, content: Buffer): string {
  if (!CONTENT_TYPE.test(contentType) || NOT_ENCODABLE.test(contentType)) return UNTYPED;
  const isUnnamed = /^text\//i.test(contentType) && !hasParameter(contentType, 'charset');
  return isUnnamed && isUtf8(content) ? `${contentType}; charset=utf-8` : contentType;
}
