import { isAscii } from './conditions/text';

/** What a label of an internationalized domain is made of. */
const LABEL = /^[\p{L}\p{M}\p{N}-]+$/u;

/** RFC 5321 4.5.3.1.3 */
const LONGEST_ADDRESS = 254;
/** RFC 1035 2.3.4 */
const LONGEST_LABEL = 63;

/** The URL parser knows IDNA; before a label of its own, digits are no address. */
function asciiLabel(label: string): string {
  const url = `http://${label}.a`;
  if (isAscii(label) || label.length > LONGEST_LABEL || !LABEL.test(label) || !URL.canParse(url)) return label;
  const ascii = new URL(url).hostname.slice(0, -2);
  return ascii.length > LONGEST_LABEL ? label : ascii;
}

/** Returns a part of an address as addresses are stored: each label of its domain in ASCII form, where it is whole. */
export function asciiDomain(part: string): string {
  if (isAscii(part) || part.length > LONGEST_ADDRESS) return part;
  const domain = part.lastIndexOf('@') + 1;
  return part.slice(0, domain) + part.slice(domain).split('.').map(asciiLabel).join('.');
}
