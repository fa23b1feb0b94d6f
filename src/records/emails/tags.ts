/** A sender's tag of a message. */
export interface Tag {
  readonly name: string;
  readonly value: string;
}

export const TAG_NAME = /^[A-Za-z0-9_-]{1,64}$/;
export const TAG_VALUE = /^[A-Za-z0-9_.:/-]{1,256}$/;
/** A tag in one text, as it is stored and looked for: no name has a colon. */
export const TAG_TEXT = /^[A-Za-z0-9_-]{1,64}:[A-Za-z0-9_.:/-]{1,256}$/;

/** Writes a tag as filters and counters have it. */
export const tagText = ({ name, value }: Tag): string => `${name}:${value}`;

/** Returns the tag that a text stands for. */
export function tagOf(text: string): Tag {
  const colon = text.indexOf(':');
  return { name: text.slice(0, colon), value: text.slice(colon + 1) };
}
