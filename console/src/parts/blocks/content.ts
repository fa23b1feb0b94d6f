import { readDesign, renderDesign } from './model.ts';
import type { Design } from './model.ts';

/** The content of a mail, as it is written in the console. */
export interface MailContent {
  /** The HTML that is sent. */
  readonly body: string;
  /** The design that the HTML comes from; null for HTML that somebody writes. */
  readonly design: Design | null;
  /** A stored design that the HTML no longer comes from. */
  readonly behind: Design | null;
  /** Whether saving removes the stored design. */
  readonly dropped: boolean;
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export const withDesign = (design: Design): MailContent => ({ body: renderDesign(design), design, behind: null, dropped: false });

export const ofHtml = (body: string): MailContent => ({ body, design: null, behind: null, dropped: true });

/** Reads what is stored. HTML that no design of ours made stays as it is. */
export function contentOf(body: string, bodyBlocks: unknown): MailContent {
  const { design = null } = readDesign(typeof bodyBlocks === 'string' ? jsonOf(bodyBlocks) : bodyBlocks);
  const isMade = design !== null && renderDesign(design) === body;
  return { body, design: isMade ? design : null, behind: isMade ? null : design, dropped: false };
}

type Stored = string | unknown[] | Record<string, unknown>;

/** Returns a holder of a content, such as a variant, with another one. */
export function withContent<T extends object>(
  holder: T & { readonly bodyBlocks?: unknown },
  content: MailContent,
): Omit<T, 'bodyBlocks'> & { readonly body: string; readonly bodyBlocks?: Stored } {
  const { bodyBlocks: before, ...others } = holder;
  const { body, bodyBlocks = before } = storedOf(content);
  return { ...others, body, ...(bodyBlocks !== undefined && bodyBlocks !== null && { bodyBlocks: bodyBlocks as Stored }) };
}

interface Saved {
  readonly body: string;
  readonly bodyBlocks?: Record<string, unknown> | null;
}

/** Returns what is saved. A design of another program stays stored. */
export const storedOf = ({ body, design, dropped }: MailContent): Saved => ({
  body,
  ...(design ? { bodyBlocks: { ...design } } : dropped && { bodyBlocks: null }),
});
