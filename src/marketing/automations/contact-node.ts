import { invalid } from '../../platform/core';
import type { ContactUpdate } from '../../rules/automation/nodes/update-contact';
import type { ContactChange } from '../../rules/contact-change';
import { renderAll, renderText } from './texts';
import type { Scope } from './texts';
import { cutText } from '../../rules/cut-text';
import { isTimeZone } from '../../rules/zoned-time';

const MAX_LENGTH = 200;
const LINE_BREAKERS = /[\r\n\0]+/g;

/** Returns the change of an `update_contact` node, its placeholders replaced. Throws 422 for an unknown language or time zone. */
export function contactChange({ firstName, lastName, locale, timezone, data, subscribed }: ContactUpdate, scope: Scope): ContactChange {
  return {
    firstName: line(firstName, scope),
    lastName: line(lastName, scope),
    locale: language(line(locale, scope)),
    timezone: zone(line(timezone, scope)),
    data: data && (renderAll(data, scope) as ContactChange['data']),
    subscribed,
  };
}

/** Renders a name: one line of limited length. */
function line(text: string | null | undefined, scope: Scope): string | null | undefined {
  if (text === null || text === undefined) return text;
  return cutText(renderText(text, scope).replace(LINE_BREAKERS, ' '), MAX_LENGTH);
}

/** Checks a language; an empty value, as of an unresolved placeholder, changes nothing. */
function language(text: string | null | undefined): string | null | undefined {
  if (text === '') return undefined;
  if (text === null || text === undefined) return text;
  try {
    return new Intl.Locale(text).language === '' ? undefined : text;
  } catch {
    throw invalid('locale', 'invalid_string', 'The locale is not a BCP 47 language tag');
  }
}

/** Checks a time zone; an empty value changes nothing. */
function zone(text: string | null | undefined): string | null | undefined {
  if (text === '') return undefined;
  if (text === null || text === undefined || isTimeZone(text)) return text;
  throw invalid('timezone', 'invalid_string', 'The time zone is unknown');
}
