const VALUE_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
};

const IN_VALUE = /[&<>"'`=]/;
const IN_VALUE_ALL = /[&<>"'`=]/g;
const IN_MARKUP = /[&<>"']/;
const IN_MARKUP_ALL = /[&<>"']/g;

const entity = (character: string) => VALUE_ENTITIES[character]!;

/** Escapes a value for any place in HTML, with the set that Handlebars uses. */
export function escapeValue(text: string): string {
  return IN_VALUE.test(text) ? text.replace(IN_VALUE_ALL, entity) : text;
}

/** Escapes for element content and quoted attributes. */
export function escapeMarkup(text: string): string {
  return IN_MARKUP.test(text) ? text.replace(IN_MARKUP_ALL, entity) : text;
}
