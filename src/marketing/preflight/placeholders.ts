import { TemplateRenderError, compileContent, foreignPlaceholder } from '../../message/template';
import type { CompiledContent, ContactFields } from '../../message/template';
import { stringsIn } from '../../rules/strings';
import type { Strings } from '../../rules/strings';
import { yielder } from '../../platform/async';
import { fine, found, listed } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { SPECIMEN } from '../../sending/accept';
import type { Campaign } from '../campaigns';
import { findContacts } from '../../audience/contacts';
import type { Context } from '../../platform/core';
import { audiencePage } from '../campaigns';
import { languageChooser, missingIn } from '../../rules/translations';
import { namedString } from '../../sending/translations';
import type { StringGaps } from '../../sending/translations';

const FILL = 'Fill the field of these contacts, or give a fallback: {{firstName | "there"}}.';
const FOREIGN = 'Write placeholders as {{name}}.';

const percent = (part: number, whole: number): string => `${Math.max(1, Math.round((part / whole) * 100))} %`;

const compiled = ({ subject, abSubjectB, previewText, body: html }: Campaign, strings: Strings | null): readonly CompiledContent[] => [
  compileContent({ subject, html, text: null, previewText, strings: stringsIn(strings, [subject, html, previewText]) }),
  ...(abSubjectB === null
    ? []
    : [compileContent({ subject: abSubjectB, html: '', text: null, strings: stringsIn(strings, [abSubjectB]) })]),
];

/** Counts the readers for whom each placeholder has no value; as many readers as fit into the time. */
async function countMissing(contents: readonly CompiledContent[], readers: readonly ContactFields[], limitMs: number) {
  const missing = new Map<string, number>();
  const breathe = yielder();
  const until = performance.now() + limitMs;
  let seen = 0;
  for (const reader of readers) {
    if (performance.now() > until) break;
    for (const name of new Set(contents.flatMap((content) => content.missing(content.valuesFor({}, reader), SPECIMEN)))) {
      missing.set(name, (missing.get(name) ?? 0) + 1);
    }
    seen += 1;
    await breathe();
  }
  return { missing, seen };
}

async function checkValues(
  campaign: Campaign,
  readers: readonly ContactFields[],
  strings: Strings | null,
  limitMs: number,
): Promise<Finding> {
  try {
    const { missing, seen } = await countMissing(compiled(campaign, strings), readers, limitMs);
    const sampled = `of a sample of ${seen}`;
    if (missing.size === 0) return fine('placeholders', 'Each placeholder has a value.', sampled);
    const shares = [...missing].sort(([, a], [, b]) => b - a).map(([name, some]) => `{{${name}}}: ${percent(some, seen)}`);
    return found('warn', 'placeholders', 'Placeholders have no value for part of the audience.', FILL, `${listed(shares)}, ${sampled}`);
  } catch (error) {
    if (!(error instanceof TemplateRenderError)) throw error;
    const what = 'The message cannot be rendered for part of the audience.';
    return found('warn', 'placeholders', what, 'Simplify loops and nested blocks.', error.message);
  }
}

/**
 * Finds placeholders that have no value for a sample of the recipients, and placeholders of other services, which are sent as plain text. Without readers,
 * nothing is known of values, so nothing is said of them. Takes at most `limitMs`.
 */
export async function checkPlaceholders(
  campaign: Campaign,
  readers: readonly ContactFields[],
  strings: Strings | null,
  limitMs: number,
): Promise<readonly Finding[]> {
  const { subject, abSubjectB, previewText, body } = campaign;
  const foreign = foreignPlaceholder([subject, abSubjectB ?? '', previewText ?? '', body]);
  if (foreign)
    return [found('warn', 'placeholders', `A placeholder of ${foreign.service} is sent as it is written.`, FOREIGN, foreign.written)];
  return readers.length === 0 ? [] : [await checkValues(campaign, readers, strings, limitMs)];
}

const MOST_READERS = 500;
/** Pages of contacts that are read for them; a filter may match few of each. */
const MOST_PAGES = 20;

/** Reads up to 500 contacts of an audience. Ids of contacts are hashes, so the first ones are a random sample. */
export async function sampleOf({ project, projectId }: Context, campaign: Campaign, now: Date): Promise<readonly ContactFields[]> {
  const ids: string[] = [];
  let after: string | null = '';
  for (let page = 0; page < MOST_PAGES && after !== null && ids.length < MOST_READERS; page++) {
    const { members, next }: Awaited<ReturnType<typeof audiencePage>> = await audiencePage(project, campaign, now, after);
    ids.push(...members.map(({ _id }) => _id));
    after = next;
  }
  const contacts = await findContacts(projectId, ids.slice(0, MOST_READERS));
  return [...contacts.values()].map(({ _id: contactId, email, firstName, lastName, locale, data }) => ({
    contactId,
    email,
    firstName,
    lastName,
    locale,
    data,
  }));
}

/** A smaller part of the sample is not worth a variant of its own. */
const LEAST_SHARE = 0.05;

const primary = (locale: string): string => locale.toLowerCase().split(/[-_]/)[0] ?? locale;

/** Lists the languages that part of the readers have and the campaign does not, with their share. The default's is not known, so the most frequent one is left out. */
function withoutVariant(campaign: Campaign, readers: readonly ContactFields[]): readonly string[] {
  const languageFor = languageChooser(Object.keys(campaign.variants ?? {}));
  const counted = new Map<string, number>();
  for (const { locale } of readers) {
    if (locale !== null && languageFor(locale) === null) counted.set(primary(locale), (counted.get(primary(locale)) ?? 0) + 1);
  }
  const [, ...others] = [...counted].sort(([, one], [, other]) => other - one);
  return others
    .filter(([, count]) => count / readers.length >= LEAST_SHARE)
    .map(([language, count]) => `${language}: ${Math.round((count / readers.length) * 100)} %`);
}

/** Checks that the strings read by the content for a language exist. Returns no finding if they all do. */
export function checkStrings(strings: StringGaps, language: string | null): readonly Finding[] {
  const absent = strings.absentIn(language);
  if (absent.length === 0) return [];
  const how = 'Add the translations, or give a fallback: {{t "greeting" | "Hello"}}.';
  const keys = listed(absent.map((key) => `{{${namedString(key)}}}`));
  return [found('block', 'translations', 'The message reads translations that do not exist.', how, keys)];
}

/** Checks the variants of a campaign, and the languages of its strings, against its default and a sample of its audience; nothing for a campaign in one language. */
export function checkLanguages(campaign: Campaign, readers: readonly ContactFields[], strings: StringGaps): readonly Finding[] {
  const { variants } = campaign;
  const lacking = strings.languages.flatMap((language) => {
    const variant = variants?.[language];
    const missing = [...(variant ? missingIn(campaign, variant) : []), ...strings.lackingIn(language).map(namedString)];
    return missing.length === 0 ? [] : [`${language}: ${missing.join(', ')}`];
  });
  if (lacking.length > 0)
    return [
      found('warn', 'languages', 'Languages lack texts that the default has.', 'Write the texts in these languages too.', listed(lacking)),
    ];
  if (!variants) return [];
  const uncovered = withoutVariant(campaign, readers);
  if (uncovered.length > 0) {
    const how = 'Add these languages, or let these contacts get the default.';
    return [found('warn', 'languages', 'Part of the audience has a language without a variant.', how, listed(uncovered))];
  }
  return [fine('languages', 'Each language has all texts that the default has.', listed(Object.keys(variants), ', '))];
}
