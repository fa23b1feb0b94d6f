import { readTree } from './tree';
import type { Entity } from './tree';

/** A text that is shown as the message, by its offset in the bytes. */
export interface TextPart {
  readonly kind: 'html' | 'plain';
  /** Offset of its head. */
  readonly headAt: number;
  readonly bodyAt: number;
  readonly bodyEnd: number;
}

/** The parts of these are signed or encrypted, and must not change (RFC 1847). */
const SEALED: ReadonlySet<string> = new Set(['multipart/signed', 'multipart/encrypted']);

/** Finds the texts of a message, but for those of its files and of what is signed or encrypted. Throws as `readMail` does. */
export function textPartsIn(bytes: Buffer): readonly TextPart[] {
  const partsOf = (entity: Entity): readonly TextPart[] => {
    if (SEALED.has(entity.type)) return [];
    if (entity.parts.length > 0) return entity.parts.flatMap(partsOf);
    const kind = entity.type === 'text/html' ? 'html' : entity.type === 'text/plain' ? 'plain' : null;
    if (kind === null || entity.disposition === 'attachment' || entity.filename !== null) return [];
    const bodyAt = entity.body.byteOffset - bytes.byteOffset;
    return [{ kind, headAt: entity.start, bodyAt, bodyEnd: bodyAt + entity.body.length }];
  };
  return partsOf(readTree(bytes));
}
