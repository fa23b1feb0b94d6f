import { nearestName } from '../../rules/near-name';

/** Other template languages' names for helpers and blocks, in lower case. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  upper: 'uppercase',
  upcase: 'uppercase',
  touppercase: 'uppercase',
  lower: 'lowercase',
  downcase: 'lowercase',
  tolowercase: 'lowercase',
  title: 'capitalize',
  titlecase: 'capitalize',
  ucfirst: 'capitalize',
  fallback: 'default',
  coalesce: 'default',
  date: 'formatDate',
  dateformat: 'formatDate',
  moment: 'formatDate',
  number: 'formatNumber',
  numberformat: 'formatNumber',
  currency: 'formatNumber',
  money: 'formatNumber',
  escape: 'urlEncode',
  encodeuricomponent: 'urlEncode',
  equals: 'eq',
  equal: 'eq',
  ifequals: 'eq',
  notequals: 'ne',
  neq: 'ne',
  greaterthan: 'gt',
  lessthan: 'lt',
  for: 'each',
  foreach: 'each',
  loop: 'each',
  section: 'with',
  ifnot: 'unless',
};

function meant(written: string, known: readonly string[]): string | null {
  const letters = written.slice(0, 40).toLowerCase();
  const named = Object.hasOwn(ELSEWHERE, letters) ? ELSEWHERE[letters] : undefined;
  return named !== undefined && known.includes(named) ? named : nearestName(letters, known);
}

/** Returns an error about an unknown helper, with the one that was probably meant, or with all of them. */
export function unknownHelper(written: string, helpers: readonly string[]): string {
  const name = meant(written, helpers);
  return `Unknown helper "${written}"${name === null ? `; there are ${helpers.join(', ')}` : `: did you mean "${name}"?`}`;
}

/** Says the same of a block. A block without values is how other languages show a list. */
export function unknownBlock(written: string, hasValues: boolean, blocks: readonly string[]): string {
  if (!hasValues) return `Unknown block "${written}": did you mean {{#each ${written}}} or {{#if ${written}}}?`;
  const name = meant(written, blocks);
  if (name !== null) return `Unknown block "${written}": did you mean {{#${name} …}}?`;
  const test = meant(written, ['eq', 'ne', 'gt', 'lt', 'and', 'or']);
  if (test !== null) return `Unknown block "${written}": did you mean {{#if (${test} …)}}?`;
  return `Unknown block "${written}"; there are ${blocks.join(', ')}`;
}

/** Placeholders of other services, which are sent as they are written. */
const FOREIGN: readonly (readonly [service: string, begins: string, form: RegExp])[] = [
  ['Liquid or Jinja', '{%', /\{%-?\s*[a-z]\w*\b[^%]{0,200}%\}/],
  ['Mailchimp', '*|', /\*\|[A-Z][A-Z0-9_:.-]{0,60}\|\*/],
  ['Mailgun', '%recipient', /%recipient[._][\w.]{1,60}%/],
  ['Salesforce', '%%', /%%[A-Za-z_]\w{0,60}%%/],
  ['ERB', '<%=', /<%=[^%]{1,200}%>/],
];

/** Returns a placeholder of another service in the texts, and whose it is; null where there is none. */
export function foreignPlaceholder(texts: readonly string[]): { readonly service: string; readonly written: string } | null {
  for (const [service, begins, form] of FOREIGN) {
    for (const text of texts) {
      const at = text.indexOf(begins);
      const written = at < 0 ? undefined : form.exec(text)?.[0];
      if (written !== undefined) return { service, written };
    }
  }
  return null;
}
