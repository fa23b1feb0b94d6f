import { randomBytes } from 'node:crypto';

/** Nobody outside knows it, so no text of a user is taken for one. */
const MARK = randomBytes(16).toString('hex');
const MARKED = new RegExp(`"${MARK}([A-Za-z0-9+/=]*)"`, 'g');

/** A JSON value kept as the text that its author wrote: numbers beyond doubles, the order of keys and half surrogates survive. Only `jsonText` writes it. */
export class RawJson {
  constructor(readonly text: string) {}

  toJSON(): string {
    return MARK + Buffer.from(this.text).toString('base64');
  }
}

/** Returns the JSON text that a value is stored as; null stays null. */
export const storedJson = (value: unknown): string | null =>
  value === null ? null : value instanceof RawJson ? value.text : JSON.stringify(value);

/** Returns the JSON of a value like `JSON.stringify`, with each `RawJson` as its own text. */
export function jsonText(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes(MARK) ? json.replaceAll(MARKED, (_, text: string) => Buffer.from(text, 'base64').toString()) : json;
}
