const OWN_SENDER = /<?\bb\+[\w-]{1,64}@[\w.-]+>?/g;
const ADDRESS = /<?[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]+>?/g;
const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"')\]]+/gi;
/** All lower case behind the first dot, or all capitals: `Unknown.Please` is a lost blank, and `RESOLVER.ADR.RecipNotFound` no host. */
const HOST = /\b[\w-]{1,63}(?:(?:\.[a-z0-9_-]{1,63}){0,8}\.[a-z]{2,24}|(?:\.[A-Z0-9_-]{1,63}){1,8}\.[A-Z]{2,24})\b\.?(?![\w@])/g;
/** Each further line of a reply begins with its code. */
const FURTHER_CODE = /\s[45][0-5]\d(?:-|\s)(?:[45]\.\d{1,3}\.\d{1,3}\s)?/g;

/**
 * Returns the words of a text in the form that rules match: lower case, without accents, on one line. `@` replaces an address, `%` a host
 * or a link, and our own envelope sender becomes the word sender.
 */
export const plainWords = (text: string): string =>
  text
    .replace(OWN_SENDER, ' sender @ ')
    .replace(LINK, ' % ')
    .replace(ADDRESS, ' @ ')
    .replace(HOST, ' % ')
    .replace(FURTHER_CODE, ' ')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[\u2018\u2019\u00b4`]/g, "'")
    .replace(/[\s\u3000]+/g, ' ');
