/** Names of values here, by Resend's. */
const NAMES: Readonly<Record<string, string>> = {
  FIRST_NAME: 'firstName',
  LAST_NAME: 'lastName',
  EMAIL: 'email',
  UNSUBSCRIBE_URL: 'unsubscribeUrl',
  RESEND_UNSUBSCRIBE_URL: 'unsubscribeUrl',
  'contact.first_name': 'firstName',
  'contact.last_name': 'lastName',
  'contact.email': 'email',
};

const PLACEHOLDER = /\{\{\{\s*([A-Za-z_][\w.]*)\s*(?:\|([^{}]*))?\}\}\}/g;

const nameHere = (name: string): string => {
  if (Object.hasOwn(NAMES, name)) return NAMES[name] as string;
  return name.startsWith('contact.') ? `data.${name.slice('contact.'.length)}` : name;
};

/** Converts Resend's placeholders, such as `{{{contact.first_name|there}}}`, to Lettermill's syntax. HTML escapes all values except those of a template's own variables. */
export function placeholdersHere(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  return text.replaceAll(PLACEHOLDER, (_whole, name: string, fallback: string | undefined) => {
    const here = nameHere(name);
    const rest = fallback === undefined || fallback.trim() === '' ? '' : ` | "${fallback.trim().replaceAll('"', "'")}"`;
    return here === name ? `{{{${here}${rest}}}}` : `{{${here}${rest}}}`;
  });
}
