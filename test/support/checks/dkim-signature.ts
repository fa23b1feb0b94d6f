import { createHash, createPublicKey, verify } from 'node:crypto';

/** Relaxed canonicalization of one field (RFC 6376, section 3.4.2). */
const relaxed = (field: string): string => {
  const colon = field.indexOf(':');
  const value = field.slice(colon + 1).replace(/(\r\n)?[ \t]+/g, ' ');
  return `${field.slice(0, colon).trim().toLowerCase()}:${value.trim()}`;
};

function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `${line}\r\n`).join('');
}

export interface DkimSignature {
  readonly domain: string;
  readonly selector: string;
  /** Whether it is a signature of this mail under a public key, given as a DNS record's `p=` has it. */
  readonly holdsUnder: (publicKey: string) => boolean;
}

/** Reads the signature of a mail by RFC 6376, with nothing of the signer's. */
export function dkimSignatureOf(raw: Buffer): DkimSignature {
  const whole = raw.toString('latin1');
  const split = whole.indexOf('\r\n\r\n');
  const fields = whole.slice(0, split).split(/\r\n(?![ \t])/);
  const signature = fields.find((field) => /^dkim-signature:/i.test(field)) ?? '';
  const tags = new Map(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map((tag) => [tag.slice(0, tag.indexOf('=')).trim(), tag.slice(tag.indexOf('=') + 1).replace(/\s+/g, '')]),
  );
  const bodyHash = createHash('sha256')
    .update(relaxedBody(whole.slice(split + 4)), 'latin1')
    .digest('base64');
  const left = fields.filter((field) => field !== signature);
  const signed = (tags.get('h') ?? '').split(':').map((name) => {
    const at = left.findLastIndex((field) => field.split(':', 1)[0]?.toLowerCase() === name.toLowerCase());
    return at === -1 ? '' : `${relaxed(left.splice(at, 1)[0] ?? '')}\r\n`;
  });
  const input = Buffer.from(signed.join('') + relaxed(signature.replace(/(\bb=)[^;]*$/, '$1')), 'latin1');
  const holdsUnder = (publicKey: string): boolean => {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return bodyHash === tags.get('bh') && verify('sha256', input, key, Buffer.from(tags.get('b') ?? '', 'base64'));
  };
  return { domain: tags.get('d') ?? '', selector: tags.get('s') ?? '', holdsUnder };
}
