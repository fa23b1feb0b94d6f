import { decode, encodingExists } from 'iconv-lite';

/** Names of charsets that neither library knows by them. */
const ALIASES: Readonly<Record<string, string>> = {
  cp50220: 'iso-2022-jp',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-3': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  'unicode-1-1-utf-7': 'utf-7',
};
/** Names that say nothing: software declares `us-ascii` for any text. */
const SAYS_NOTHING = /^(?:|us-ascii|ascii|ansi_x3\.4-1968|unknown|unknown-8bit|x-unknown|8bit|binary|default|none|x-user-defined)$/;
/** These begin with a mark of their byte order or are guessed by one of the libraries. */
const BY_MARK = /^(?:utf|ucs)-?(?:16|32|2|4)$|^unicode$/;
const EXAMINED = 65_536;
const META_BYTES = 2_048;
const META_CHARSET = /<meta\b[^>]{0,300}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i;
const XML_ENCODING = /^\s{0,99}<\?xml\b[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})/i;
/** The sequences that begin Japanese letters in ISO-2022-JP. */
const JAPANESE = ['\x1b$B', '\x1b$@', '\x1b(J', '\x1b(I'];
const NOT_ASCII = /[^\0-\x7f]/;
const OTHER_THAN_REPLACED = /[^\0-\x7f\ufffd]/;

const nameOf = (label: string): string => {
  const name = label
    .trim()
    .toLowerCase()
    .replace(/^["']+|["';]+$/g, '');
  return ALIASES[name] ?? name;
};

/** Decodes by the name of a charset; null for one that is not known, or that says nothing. */
function byName(bytes: Uint8Array, label: string): string | null {
  const name = nameOf(label);
  if (SAYS_NOTHING.test(name)) return null;
  if (name === 'utf-7') return utf7(bytes);
  if (!BY_MARK.test(name)) {
    try {
      return new TextDecoder(name).decode(bytes);
    } catch {
      // It is none of the web's.
    }
  }
  const known = name === 'unicode' ? 'utf-16' : name;
  return encodingExists(known) ? decode(asBuffer(bytes), known) : null;
}

// The library takes seconds for a MiB of it.
const utf7 = (bytes: Uint8Array): string =>
  asBuffer(bytes)
    .toString('latin1')
    .replace(/\+([A-Za-z0-9+/]*)-?/g, (_, encoded: string) => (encoded === '' ? '+' : utf16Of(encoded)));

function utf16Of(encoded: string): string {
  const bytes = Buffer.from(encoded, 'base64');
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le');
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function markIn(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** Decodes text whose charset nobody names: UTF-8 where it can be that, else the charset of most old mail. */
function guessed(bytes: Uint8Array): string {
  const beginning = asBuffer(bytes).toString('latin1', 0, EXAMINED);
  if (!NOT_ASCII.test(beginning) && JAPANESE.some((sequence) => beginning.includes(sequence)))
    return new TextDecoder('iso-2022-jp').decode(bytes);
  return utf8OrWestern(bytes);
}

// One wrong byte does not make a text of UTF-8 another's; a text without one right character is not UTF-8.
function utf8OrWestern(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (!text.includes('\ufffd') || OTHER_THAN_REPLACED.test(text)) return text;
  return new TextDecoder('windows-1252').decode(bytes);
}

/** Decodes text by its charset; by its mark of byte order, or by a guess from its bytes, if the charset is not named, not known or wrong. */
export function decodeText(bytes: Uint8Array, label: string | null): string {
  const mark = markIn(bytes);
  const named = mark ?? label ?? '';
  if (/^utf-?8$/.test(nameOf(named))) return utf8OrWestern(bytes);
  return byName(bytes, named) ?? guessed(bytes);
}

/** Decodes HTML: what its head says counts where the message says nothing. */
export function decodeHtml(bytes: Uint8Array, label: string | null): string {
  if (label !== null && !SAYS_NOTHING.test(nameOf(label))) return decodeText(bytes, label);
  const head = asBuffer(bytes).toString('latin1', 0, META_BYTES);
  const found = (META_CHARSET.exec(head) ?? XML_ENCODING.exec(head))?.[1] ?? null;
  // What is read here in bytes of one letter each is not in two.
  return decodeText(bytes, found !== null && BY_MARK.test(nameOf(found)) ? null : found);
}
