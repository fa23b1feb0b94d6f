import type { Core } from '../../platform/core';
import type { CompiledContent, SystemValues, Values } from '../../message/template';
import { ContentGone, contentOf } from './content';
import type { Email } from './model';
import { maskedValues, withoutSignIns } from './masked';
import { systemValues } from './urls';

/** The texts of a message. */
export interface Bodies {
  readonly html: string;
  readonly text: string;
  /** False where what the message said is not kept any longer: both are empty then. */
  readonly isKept: boolean;
}

const NOT_KEPT: Bodies = { html: '', text: '', isKept: false };

/** Resolves to the bodies of a message as its recipient reads them: links are the author's own and nothing is tracked. */
export const readBodies = (core: Pick<Core, 'config' | 'secrets'>, email: Email): Promise<Bodies> =>
  bodiesOf(email, systemValues(core, email));

/** Resolves to the same for those who read with a key: what is the recipient's alone is masked. */
export const readMaskedBodies = (core: Pick<Core, 'config' | 'secrets'>, email: Email): Promise<Bodies> =>
  bodiesOf({ ...email, values: withoutSignIns(email.values) }, maskedValues(core, email));

// Inbound mail is as it came.
async function bodiesOf(email: Email, system: SystemValues): Promise<Bodies> {
  if (email.erased || email.content === 'gone') return NOT_KEPT;
  if (email.source === 'inbound') return { html: email.inline?.html ?? '', text: email.inline?.text ?? '', isKept: true };
  const content = await contentIfKept(email);
  if (!content) return NOT_KEPT;
  const decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: email.type === 'marketing' };
  const { html, text } = content.render(JSON.parse(email.values) as Values, system, decoration);
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
