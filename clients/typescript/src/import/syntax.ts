type Rule = readonly [pattern: RegExp, placeholder: (...groups: string[]) => string];

const withDefault = (name: string, other: string | undefined): string =>
  other ? `{{${name} | "${other.replaceAll('"', "'")}"}}` : `{{${name}}}`;

const FIELDS: Readonly<Record<string, string>> = {
  email: 'email',
  email_address: 'email',
  fname: 'firstName',
  first_name: 'firstName',
  firstname: 'firstName',
  lname: 'lastName',
  last_name: 'lastName',
  lastname: 'lastName',
  locale: 'locale',
};

/** Returns the placeholder of a field of another service: a field of the contact, or a custom one. */
const fieldOf = (name: string): string => FIELDS[name.toLowerCase()] ?? `data.${name}`;

const UNSUBSCRIBE = '{{unsubscribeUrl}}';
const PREFERENCES = '{{preferencesUrl}}';
const ARCHIVE = '{{viewInBrowserUrl}}';

export const MAILCHIMP: readonly Rule[] = [
  [/\*\|UNSUB\|\*/g, () => UNSUBSCRIBE],
  [/\*\|UPDATE_PROFILE\|\*/g, () => PREFERENCES],
  [/\*\|ARCHIVE\|\*/g, () => ARCHIVE],
  [/\*\|(?:CURRENT_YEAR|DATE:Y)\|\*/g, () => '{{year}}'],
  [
    /\*\|(EMAIL|FNAME|LNAME|MMERGE\d+|[A-Z][A-Z0-9_]{0,9})\|\*/g,
    (name) => (/^(IF|ELSE|END|LIST|HTML|MC|ABUSE|TWITTER|FACEBOOK)/.test(name) ? `*|${name}|*` : `{{${fieldOf(name)}}}`),
  ],
];

export const LISTMONK: readonly Rule[] = [
  [/\{\{\s*UnsubscribeURL\s*\}\}/g, () => UNSUBSCRIBE],
  [/\{\{\s*ManageURL\s*\}\}/g, () => PREFERENCES],
  [/\{\{\s*MessageURL\s*\}\}/g, () => ARCHIVE],
  [/\{\{\s*\.Subscriber\.Attribs\.(\w+)\s*\}\}/g, (name) => `{{data.${name}}}`],
  [/\{\{\s*\.Subscriber\.(Email|FirstName|LastName)\s*\}\}/g, (name) => `{{${fieldOf(name)}}}`],
  [/\{\{\s*\.Subscriber\.Name\s*\}\}/g, () => '{{firstName}} {{lastName}}'],
  [/\{\{\s*\.Tx\.Data\.(\w+)\s*\}\}/g, (name) => `{{${name}}}`],
];

export const RESEND: readonly Rule[] = [
  [/\{\{\{\s*RESEND_UNSUBSCRIBE_URL\s*\}\}\}/g, () => UNSUBSCRIBE],
  [
    /\{\{\{\s*(?:contact\.)?(email|first_name|last_name)\s*(?:\|\s*([^}]+?)\s*)?\}\}\}/gi,
    (name, other) => withDefault(fieldOf(name), other),
  ],
  [/\{\{\{\s*contact\.([A-Za-z_]\w*)\s*(?:\|\s*([^}]+?)\s*)?\}\}\}/g, (name, other) => withDefault(`data.${name}`, other)],
  [/\{\{\{\s*([A-Za-z_]\w*)\s*(?:\|\s*([^}]+?)\s*)?\}\}\}/g, (name, other) => withDefault(name, other)],
];

export const SENDGRID: readonly Rule[] = [
  [/<%asm_(?:group_unsubscribe|global_unsubscribe)_(?:raw_)?url%>|\{\{\{?\s*unsubscribe\s*\}?\}\}/g, () => UNSUBSCRIBE],
  [/<%asm_preferences_(?:raw_)?url%>|\{\{\{?\s*unsubscribe_preferences\s*\}?\}\}/g, () => PREFERENCES],
  [/\{\{\{?\s*(first_name|last_name|email)\s*\}?\}\}/g, (name) => `{{${fieldOf(name)}}}`],
];

/** Syntax of other services that would be sent as it is. */
const FOREIGN = /\*\|[^|]+\|\*|\{%|<%|\{\{\s*(?:\.|template |range |if \.|end)/;

/** Returns a text with the placeholders of another service as ours; null if it uses what has no counterpart. */
export function converted(text: string, rules: readonly Rule[]): string | null {
  const done = rules.reduce(
    (so, [pattern, placeholder]) => so.replaceAll(pattern, (_, ...groups) => placeholder(...(groups as string[]))),
    text,
  );
  return FOREIGN.test(done) ? null : done;
}
