import type { SystemValues } from '../../message/template';
import type { Email } from './model';
import { systemValues } from './urls';
import type { LinkedMessage, UrlCore } from './urls';

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
export const withoutSignIns = (text: string): string => text.replace(SIGN_IN, '$1…');

/** Returns what the platform puts into a message, as it is shown to those who are not its recipient. */
export function maskedValues(core: UrlCore, email: LinkedMessage & Pick<Email, 'scheduledFor' | 'createdAt'>): SystemValues {
  const { unsubscribeUrl, preferencesUrl, viewInBrowserUrl, year } = systemValues(core, email);
  return {
    unsubscribeUrl: maskTokens(unsubscribeUrl),
    preferencesUrl: maskTokens(preferencesUrl),
    viewInBrowserUrl: maskTokens(viewInBrowserUrl),
    year,
  };
}
