import type { Core } from '../../platform/core';
import type { CompiledContent, Values } from '../../message/template';
import { ContentGone, contentOf } from './content';
import type { Email } from './model';
import { systemValues } from './urls';

/** What a message said. */
export interface Bodies {
  readonly html: string;
  readonly text: string;
  /** False where what the message said is not kept any longer: both are empty then. */
  readonly isKept: boolean;
}

const NOT_KEPT: Bodies = { html: '', text: '', isKept: false };

/** Resolves to the bodies of a message as the recipient reads them: links are the author's own and nothing is tracked. Inbound mail is as it came. */
export async function readBodies(core: Pick<Core, 'config' | 'secrets'>, email: Email): Promise<Bodies> {
  if (email.erased || email.content === 'gone') return NOT_KEPT;
  if (email.source === 'inbound') return { html: email.inline?.html ?? '', text: email.inline?.text ?? '', isKept: true };
  const content = await contentIfKept(email);
  if (!content) return NOT_KEPT;
  const decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: email.type === 'marketing' };
  const { html, text } = content.render(JSON.parse(email.values) as Values, systemValues(core, email), decoration);
  return { html, text, isKept: true };
}

/** Resolves to the content, or null. Shared contents are removed once none of their messages is to be read. */
async function contentIfKept(email: Email): Promise<CompiledContent | null> {
  try {
    return await contentOf(email);
  } catch (error) {
    if (error instanceof ContentGone) return null;
    throw error;
  }
}
