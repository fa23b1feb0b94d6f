import { createPrivateKey, generateKeyPair, hash, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { HeaderField } from '../mime';

/** A domain's signing key; keeps the parsed key, since parsing costs more than signing. */
export interface DkimKey {
  readonly domain: string;
  readonly selector: string;
  readonly privateKey: KeyObject;
}

const MODULUS_BITS = 2048;
const BASE64_LINE = 72;
const MINIMUM_BITS = 1024;

/** RFC 6376 5.4.1 and RFC 8058 3 (both List-Unsubscribe fields); fields that a message lacks are left out. */
const SIGNED = [
  'from',
  'sender',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'to',
  'cc',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'feedback-id',
];

/**
 * Fields that nobody may add or repeat: the signature names them one time more than they occur, also if they do not occur (RFC 6376 8.15).
 */
const SEALED: ReadonlySet<string> = new Set(SIGNED.filter((name) => name !== 'sender' && name !== 'feedback-id'));

/** Longer than a message is tried, and than reports on it are believed; a copy that is sent again later is not ours any more. */
const VALID_SECONDS = 30 * 86_400;

/** Reads a PEM private key. Throws an Error unless it is an RSA key of at least 1024 bits (RFC 8301), and the names are DNS names. */
export function loadDkimKey(domain: string, selector: string, pem: string): DkimKey {
  for (const name of [domain, selector]) {
    if (!/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(name)) throw new Error('A DKIM domain or selector is not a DNS name');
  }
  const privateKey = createPrivateKey(pem);
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (privateKey.asymmetricKeyType !== 'rsa' || bits < MINIMUM_BITS) throw new Error('A DKIM key must be RSA with at least 1024 bits');
  return { domain, selector, privateKey };
}

/** Generates an RSA-2048 pair: PKCS #8 PEM, and the base64 of the SPKI for a DNS record's `p=`. */
export async function generateDkimKeyPair(): Promise<{ privateKeyPem: string; publicKeyBase64: string }> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  return {
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKeyBase64: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

/**
 * Resolves to the DKIM-Signature field (RFC 6376, relaxed/relaxed, rsa-sha256) of a message in 7-bit, valid for 30 days from its date. A field of those that readers
 * see cannot be added without breaking it. The same input gives the same field. The body is read before this returns.
 */
export async function dkimSignature(key: DkimKey, fields: readonly HeaderField[], body: Buffer, date: Date): Promise<HeaderField> {
  const bodyHash = hash('sha256', relaxBody(body), 'base64');
  const { signed, names } = coveredBy(fields);
  const from = Math.floor(date.getTime() / 1_000);
  const unsigned =
    `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${key.domain}; s=${key.selector};\r\n t=${from}; x=${from + VALID_SECONDS};\r\n` +
    ` h=${foldList(names)};\r\n bh=${bodyHash};\r\n b=`;
  let input = '';
  for (const field of signed) input += `${relaxHeader(field)}\r\n`;
  input += relaxHeader({ name: 'dkim-signature', value: unsigned });
  const signature = await signOnThreadPool(input, key.privateKey);
  return { name: 'DKIM-Signature', value: unsigned + foldBase64(signature) };
}

/** Returns the fields that a signature covers, the last of a name first (RFC 6376 5.4.2), and the names for its `h=`. */
function coveredBy(fields: readonly HeaderField[]): { readonly signed: readonly HeaderField[]; readonly names: readonly string[] } {
  const lowered = fields.map(({ name }) => name.toLowerCase());
  const signed: HeaderField[] = [];
  const names: string[] = [];
  for (const name of SIGNED) {
    for (let at = lowered.lastIndexOf(name); at >= 0; at = at === 0 ? -1 : lowered.lastIndexOf(name, at - 1)) {
      signed.push(fields[at]!);
      names.push(name);
    }
    if (SEALED.has(name)) names.push(name);
  }
  return { signed, names };
}

function foldBase64(bytes: Buffer): string {
  const text = bytes.toString('base64');
  let folded = text.slice(0, BASE64_LINE);
  for (let at = BASE64_LINE; at < text.length; at += BASE64_LINE) folded += `\r\n ${text.slice(at, at + BASE64_LINE)}`;
  return folded;
}

function signOnThreadPool(input: string, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(input, 'latin1'), key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}

function foldList(names: readonly string[]): string {
  let list = '';
  let width = 3;
  for (const name of names) {
    const separator = list === '' ? '' : width + name.length > 72 ? ':\r\n  ' : ':';
    width = separator.length > 1 ? 2 + name.length : width + separator.length + name.length;
    list += separator + name;
  }
  return list;
}

const CRLF = Buffer.from('\r\n');
const EMPTY = Buffer.alloc(0);
const BLANK = 0x20;
const TAB = 0x09;
const CR = 0x0d;
const LF = 0x0a;

/** Converts a field to the relaxed form of RFC 6376 3.4.2, without its CRLF. */
export function relaxHeader(field: HeaderField): string {
  return `${field.name.toLowerCase()}:${field.value.replace(/[ \t\r\n]+/g, ' ').trim()}`;
}

/**
 * Converts a CRLF body to the relaxed form of RFC 6376 3.4.4: runs of blanks become one space, none ends a line, and one CRLF ends the body. The result may
 * share the memory of the body.
 */
function relaxBody(body: Buffer): Buffer {
  const relaxed = relaxLines(body);
  let end = relaxed.length;
  while (end >= 2 && relaxed[end - 2] === CR && relaxed[end - 1] === LF) end -= 2;
  if (end === 0) return EMPTY;
  const ended = relaxed.subarray(0, end + 2);
  return ended[end] === CR && ended[end + 1] === LF ? ended : Buffer.concat([relaxed.subarray(0, end), CRLF]);
}

/** Converts whole lines that end in CRLF to the relaxed form; those at the end that are empty stay. */
export function relaxLines(lines: Buffer): Buffer {
  const collapsed = needsCollapse(lines) ? collapse(lines) : lines;
  return collapsed.at(-1) === BLANK ? collapsed.subarray(0, -1) : collapsed;
}

/** Checks each byte once: spaces are so frequent that a native search for two of them stops at each. */
function needsCollapse(body: Buffer): boolean {
  let isBlank = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === TAB || (isBlank && (byte === BLANK || byte === CR))) return true;
    isBlank = byte === BLANK;
  }
  return false;
}

function collapse(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length);
  let length = 0;
  let isBlank = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === BLANK || byte === TAB) {
      isBlank = true;
      continue;
    }
    if (isBlank && !(byte === CR && body[at + 1] === LF)) out[length++] = BLANK;
    isBlank = false;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}
