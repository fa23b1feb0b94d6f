import { isAscii } from './conditions/text';
import { parsedUrl } from './parsed-url';

/** Matches a label of an internationalized domain. */
const LABEL = /^[\p{L}\p{M}\p{N}-]+$/u;

/** RFC 5321 4.5.3.1.3 */
const LONGEST_ADDRESS = 254;
/** RFC 1035 2.3.4 */
const LONGEST_LABEL = 63;

// The URL parser knows IDNA; before a label of its own, digits are no address.
function asciiLabel(label: string): string {
  if (isAscii(label) || label.length > LONGEST_LABEL || !LABEL.test(label)) return label;
  const ascii = parsedUrl(`http://${label}.a`)?.hostname.slice(0, -2);
  return ascii === undefined || ascii.length > LONGEST_LABEL ? label : ascii;
}

/** Returns a part of an address as addresses are stored: each label of its domain in ASCII form, where it is whole. */
export function asciiDomain(part: string): string {
  if (isAscii(part) || part.length > LONGEST_ADDRESS) return part;
  const domain = part.lastIndexOf('@') + 1;
  return part.slice(0, domain) + part.slice(domain).split('.').map(asciiLabel).join('.');
}
