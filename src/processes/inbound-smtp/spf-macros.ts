/** What the macros of SPF stand for (RFC 7208, section 7). */
export interface MacroValues {
  readonly sender: string;
  /** The domain whose record is read. */
  readonly domain: string;
  readonly helo: string;
  /** Dotted as in names: four numbers, or 32 digits. */
  readonly dotted: string;
  readonly isIPv6: boolean;
  /** The name of the host, found out only where it is asked for. */
  readonly validated: () => Promise<string>;
}

const MACRO = /%(?:\{([slodiphv])(\d*)(r?)([-.+,/_=]*)\}|([%_-]))/gi;
const LITERALS: Readonly<Record<string, string>> = { '%': '%', _: ' ', '-': '%20' };
const MOST_OF_NAME = 253;

/** Fills in the macros of a name; of one that is too long the labels at its beginning are left out. */
export async function expandName(name: string, values: MacroValues): Promise<string> {
  const pieces: string[] = [];
  let at = 0;
  for (const match of name.matchAll(MACRO)) {
    const [whole, letter, digits = '', reversed = '', delimiters = '', literal] = match;
    pieces.push(name.slice(at, match.index));
    at = match.index + whole.length;
    if (letter === undefined) pieces.push(LITERALS[literal ?? ''] ?? '');
    else pieces.push(transformed(await valueOf(letter, values), { digits, isReversed: reversed !== '', delimiters }, letter));
  }
  let expanded = (pieces.join('') + name.slice(at)).replace(/\.$/, '');
  while (expanded.length > MOST_OF_NAME && expanded.includes('.')) expanded = expanded.slice(expanded.indexOf('.') + 1);
  return expanded;
}

async function valueOf(letter: string, { sender, domain, helo, dotted, isIPv6, validated }: MacroValues): Promise<string> {
  const at = sender.lastIndexOf('@');
  switch (letter.toLowerCase()) {
    case 's':
      return sender;
    case 'l':
      return sender.slice(0, at);
    case 'o':
      return sender.slice(at + 1);
    case 'd':
      return domain;
    case 'i':
      return dotted;
    case 'p':
      return validated();
    case 'v':
      return isIPv6 ? 'ip6' : 'in-addr';
    default:
      return helo;
  }
}

interface Transformation {
  readonly digits: string;
  readonly isReversed: boolean;
  readonly delimiters: string;
}

function transformed(value: string, { digits, isReversed, delimiters }: Transformation, letter: string): string {
  const separators = new Set(delimiters || '.');
  const labels = [...value].reduce<string[]>(
    (found, character) => {
      if (separators.has(character)) found.push('');
      else found[found.length - 1] += character;
      return found;
    },
    [''],
  );
  if (isReversed) labels.reverse();
  const text = labels.slice(digits === '' ? 0 : -Number(digits)).join('.');
  return letter === letter.toUpperCase() ? encodeURIComponent(text) : text;
}
