import type { Core } from '../../platform/core';
import type { CompiledContent, SystemValues, Values } from '../../message/template';
import { ContentGone, contentOf } from './content';
import type { Email } from './model';
import { systemValues } from './urls';
import type { LinkedMessage, UrlCore } from './urls';

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

/** Matches the beginning of a link or an address of a message, also percent-encoded or rewritten by a filter, and the token behind it. */
const TOKEN = /((?:\/|%2F|_)(?:[upv]|t(?:\/|%2F|_)[oc])(?:\/|%2F|_)|\b[ub](?:\+|%2B))[0-9a-z]{26}\.[\w-]+(?:\.[\w-]+)*/gi;

/** Matches the same of a link that signs in to the console. */
const SIGN_IN = /(console(?:\/|%2F)(?:#|%23)(?:link|invitation)(?:=|%3D|&#x3D;))[0-9a-z]{52}/gi;

/**
 * Returns a text with `…` for the tokens of links: they let their holder act as the recipient of a message, and those who read with a key are not
 * the recipient.
 */
export const maskTokens = (text: string): string => text.replace(TOKEN, '$1…').replace(SIGN_IN, '$1…');

/** Returns the values of a message without the tokens of links that sign in. Those are values, and not what the platform adds to a message. */
const withoutSignIns = (text: string): string => text.replace(SIGN_IN, '$1…');

/** Returns what the platform puts into a message, as it is shown to those who are not its recipient. */
function maskedValues(core: UrlCore, email: LinkedMessage & Pick<Email, 'scheduledFor' | 'createdAt'>): SystemValues {
  const { unsubscribeUrl, preferencesUrl, viewInBrowserUrl, year } = systemValues(core, email);
  return {
    unsubscribeUrl: maskTokens(unsubscribeUrl),
    preferencesUrl: maskTokens(preferencesUrl),
    viewInBrowserUrl: maskTokens(viewInBrowserUrl),
    year,
  };
}
