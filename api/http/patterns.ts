const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOMAIN = String.raw`(${LABEL}\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`;
const ADDRESS = String.raw`${ATOM}(\.${ATOM})*@${DOMAIN}`;

const WORDS = String.raw`[^"(),:;<>@\[\\\]\x00-\x1F\x7F-\x9F\u2028\u2029]{0,200}`;
const QUOTED = String.raw`"[^"\\\x00-\x1F\x7F-\x9F\u2028\u2029]{0,200}"`;

/**
 * Patterns for the OpenAPI document, of what functions check: what matches is accepted. Some of these functions take more, like domains that are not in ASCII and
 * extensions of language tags. They are written for any engine of regular expressions: without look-around, without named classes.
 */
export const PATTERNS = {
  /** No line break and no NUL. */
  oneLine: String.raw`^[^\r\n\x00]*$`,
  idOrAddress: `^([A-Za-z0-9_-]{1,64}|${ADDRESS})$`,
  domain: `^${DOMAIN}$`,
  /** Target of a call: a literal host, then anything on one line. */
  callUrl: String.raw`^https?://${DOMAIN}(:[0-9]{1,4})?([/?#][^\r\n\x00]*)?$`,
  /** An address, or one in angle brackets behind a name. */
  mailbox: `^(${ADDRESS}|(${WORDS}|${QUOTED}) ?<${ADDRESS}>)$`,
  /** Language, script, region and one variant of BCP 47. */
  locale: '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$',
  eventName: '[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}',
  systemEvent: String.raw`^(email|contact|segment|workflow)\.`,
} as const;
