import { relaxHeader, relaxLines } from './dkim';
import { createHash } from 'node:crypto';

/** A signature's claim, as far as it can be judged without the domain's key (RFC 6376). */
export type Claim =
  | { readonly kind: 'judged'; readonly domain: string; readonly result: 'neutral' | 'policy' }
  /** All but the signature is right. */
  | ({ readonly kind: 'open' } & OpenClaim);

export interface OpenClaim {
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: 'rsa' | 'ed25519';
  readonly signature: Uint8Array;
  /** The signed bytes. */
  readonly signed: Uint8Array;
  /** On whose behalf: the domain itself, or one below it. */
  readonly identity: string;
}

const NAME = /^[a-z0-9_](?:[a-z0-9_.-]{0,250}[a-z0-9_])?$/;
const SUPPORTED = /^(rsa|ed25519)-sha256$/;
const CANONICAL = /^(simple|relaxed)(?:\/(simple|relaxed))?$/;
const SIGNATURE_FIELD = /^dkim-signature[ \t]*:/i;

/** Reads `tag=value; …` (RFC 6376 3.2); null where a tag occurs twice. */
export function tagsIn(list: string): ReadonlyMap<string, string> | null {
  const tags = new Map<string, string>();
  for (const pair of list.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1) continue;
    const name = pair.slice(0, equals).trim();
    if (tags.has(name)) return null;
    tags.set(name, pair.slice(equals + 1).trim());
  }
  return tags;
}

/** A message, of whose body each canonical form is made and hashed once. */
class SignedMail {
  private readonly fields: readonly string[];
  private readonly body: Buffer;
  private readonly bodies = new Map<Form, CanonicalBody>();

  constructor(bytes: Buffer) {
    const { head, body } = splitAtBlankLine(bytes);
    this.fields = head.split(/\r\n(?![ \t])/).filter((field) => field !== '');
    this.body = body;
  }

  signatures(): readonly string[] {
    return this.fields.filter((field) => SIGNATURE_FIELD.test(field));
  }

  bodyIn(form: Form): CanonicalBody {
    const known = this.bodies.get(form) ?? bodyOf(this.body, form);
    this.bodies.set(form, known);
    return known;
  }

  /** Returns the named fields, each from the last to the first, and the signature without its own value. */
  signedBy(signature: string, names: readonly string[], form: Form): Buffer {
    const byName = new Map<string, string[]>();
    for (const field of this.fields) {
      const name = nameOf(field);
      const known = byName.get(name);
      if (known) known.push(field);
      else byName.set(name, [field]);
    }
    const fields = names.flatMap((name) => byName.get(name)?.pop() ?? []);
    const canonical = (field: string): string => (form === 'relaxed' ? relaxHeader({ name: nameOf(field), value: valueOf(field) }) : field);
    const own = signature.replace(/((?:^|[;:])[ \t\r\n]*b[ \t\r\n]*=)[^;]*/, '$1');
    return Buffer.from([...fields, own].map(canonical).join('\r\n'), 'latin1');
  }
}

type Form = 'simple' | 'relaxed';

/** A body in one of its canonical forms (RFC 6376 3.4). */
interface CanonicalBody {
  readonly length: number;
  /** SHA-256, in base64. */
  readonly hash: string;
}

const [CR, LF] = [0x0d, 0x0a];

const PIECE = 1_048_576;

const BREAKS = Buffer.from('\r\n'.repeat(4_096));

/** Cuts a body between lines, so that no copy of the whole of it is ever made. */
function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length;) {
    const found = body.indexOf(LF, Math.min(at + PIECE, body.length));
    const end = found === -1 ? body.length : found + 1;
    yield body.subarray(at, end);
    at = end;
  }
}

/** Restores line breaks that became a lone LF on the way. */
function withFullBreaks(piece: Buffer): Buffer {
  let bare = 0;
  for (let at = 0; at < piece.length; at++) if (piece[at] === LF && piece[at - 1] !== CR) bare++;
  if (bare === 0) return piece;
  const whole = Buffer.allocUnsafe(piece.length + bare);
  let length = 0;
  for (let at = 0; at < piece.length; at++) {
    if (piece[at] === LF && piece[at - 1] !== CR) whole[length++] = CR;
    whole[length++] = piece[at]!;
  }
  return whole;
}

function withoutLastBreaks(piece: Buffer): Buffer {
  let end = piece.length;
  while (end >= 2 && piece[end - 2] === CR && piece[end - 1] === LF) end -= 2;
  return piece.subarray(0, end);
}

/** Puts a body in canonical form, and hashes it on the way. */
function bodyOf(body: Buffer, form: Form): CanonicalBody {
  const hash = createHash('sha256');
  let [length, pending] = [0, 0];
  const add = (bytes: Buffer): void => {
    hash.update(bytes);
    length += bytes.length;
  };
  for (const piece of piecesOf(body)) {
    const whole = withFullBreaks(piece);
    const canonical = form === 'relaxed' ? relaxLines(whole) : whole;
    const content = withoutLastBreaks(canonical);
    if (content.length > 0) {
      for (; pending > 0; pending -= Math.min(pending, BREAKS.length)) add(BREAKS.subarray(0, Math.min(pending, BREAKS.length)));
      add(content);
    }
    pending += canonical.length - content.length;
  }
  if (length > 0 || form === 'simple') add(BREAKS.subarray(0, 2));
  return { length, hash: hash.digest('base64') };
}

const nameOf = (field: string): string => field.slice(0, field.indexOf(':')).trim().toLowerCase();
const valueOf = (field: string): string => field.slice(field.indexOf(':') + 1);

function splitAtBlankLine(bytes: Buffer): { readonly head: string; readonly body: Buffer } {
  const crlf = bytes.indexOf('\r\n\r\n');
  const lf = bytes.indexOf('\n\n');
  const isBare = lf !== -1 && (crlf === -1 || lf < crlf);
  const end = isBare ? lf : crlf === -1 ? bytes.length : crlf;
  const head = bytes.toString('latin1', 0, end).replace(/\r?\n/g, '\r\n');
  return { head, body: bytes.subarray(end + (isBare ? 2 : 4)) };
}

/**
 * Reads what the signatures of a message claim, and judges all that needs no key: the form, the time, the body. Of more signatures than `most`, those of the
 * author's domain and the domains around it come first.
 */
export function claimsIn(bytes: Buffer, { most, authorDomain, now }: { most: number; authorDomain: string; now: Date }): readonly Claim[] {
  const mail = new SignedMail(bytes);
  const isNear = (domain: string): boolean =>
    authorDomain === domain || authorDomain.endsWith(`.${domain}`) || domain.endsWith(`.${authorDomain}`);
  return mail
    .signatures()
    .map((signature) => ({ signature, tags: tagsIn(valueOf(signature)) ?? new Map<string, string>() }))
    .toSorted((a, b) => Number(isNear(domainIn(b.tags))) - Number(isNear(domainIn(a.tags))))
    .slice(0, most)
    .map(({ signature, tags }) => claimOf(mail, signature, tags, now));
}

type Tags = ReadonlyMap<string, string>;

const tagIn = (tags: Tags, name: string, otherwise = ''): string => (tags.get(name) ?? otherwise).replace(/\s+/g, '');
const domainIn = (tags: Tags): string => tagIn(tags, 'd').toLowerCase();

/** Returns the tags of a signature; null if they are malformed. */
function formOf(tags: Tags) {
  const domain = domainIn(tags);
  const selector = tagIn(tags, 's').toLowerCase();
  const identity = tagIn(tags, 'i', `@${domain}`).replace(/^.*@/s, '').toLowerCase();
  const canonical = CANONICAL.exec(tagIn(tags, 'c', 'simple').toLowerCase());
  const names = tagIn(tags, 'h').toLowerCase().split(':');
  const isNamed = [domain, selector, identity].every((name) => NAME.test(name)) && `.${identity}`.endsWith(`.${domain}`);
  if (tagIn(tags, 'v') !== '1' || !canonical || !isNamed || !names.includes('from')) return null;
  return { selector, identity, names, head: canonical[1] as Form, body: (canonical[2] ?? 'simple') as Form };
}

function claimOf(mail: SignedMail, signature: string, tags: Tags, now: Date): Claim {
  const domain = domainIn(tags);
  const decided = (result: 'neutral' | 'policy'): Claim => ({ kind: 'judged', domain, result });
  const form = formOf(tags);
  if (!form || isOver(tags, now)) return decided('neutral');
  const algorithm = SUPPORTED.exec(tagIn(tags, 'a').toLowerCase())?.[1] as OpenClaim['algorithm'] | undefined;
  // SHA-1 proves nothing any more (RFC 8301).
  if (!algorithm) return decided('policy');
  const body = bodyVerdict(mail, tags, form.body);
  if (body !== null) return decided(body);
  const { selector, identity, names, head } = form;
  const signed = mail.signedBy(signature, names, head);
  return { kind: 'open', domain, selector, algorithm, identity, signed, signature: Buffer.from(tagIn(tags, 'b'), 'base64') };
}

const isOver = (tags: Tags, now: Date): boolean => tags.has('x') && Number(tagIn(tags, 'x')) * 1_000 < now.getTime();

/** Judges the body: null where it is the one that was signed. A signature that leaves some of it open says nothing of the whole. */
function bodyVerdict(mail: SignedMail, tags: Tags, form: Form): 'neutral' | 'policy' | null {
  const { length, hash } = mail.bodyIn(form);
  const limit = tags.get('l');
  if (limit !== undefined && Number(limit) < length) return 'policy';
  if (limit !== undefined && Number(limit) !== length) return 'neutral';
  return tagIn(tags, 'bh') === hash ? null : 'neutral';
}
