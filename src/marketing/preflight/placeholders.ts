import { TemplateRenderError, compileContent, foreignPlaceholder } from '../../message/template';
import type { CompiledContent, ContactFields } from '../../message/template';
import { stringsIn } from '../../rules/strings';
import type { Strings } from '../../rules/strings';
import { languageChooser } from '../../rules/translations';
import type { Translation } from '../../rules/translations';
import { yielder } from '../../platform/async';
import { fine, found, listed } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { SPECIMEN } from '../../sending/accept';
import type { Campaign } from '../campaigns';

const ALL_MS = 3_000;

const FILL = 'Fill the field of these contacts, or give a fallback: {{firstName | "there"}}.';
const FOREIGN = 'Write placeholders as {{name}}.';

const percent = (part: number, whole: number): string => `${Math.max(1, Math.round((part / whole) * 100))} %`;

const compiled = (
  { subject, abSubjectB, previewText = null, body: html }: Translation,
  strings: Strings | null,
): readonly CompiledContent[] => [
  compileContent({ subject, html, text: null, previewText, strings: stringsIn(strings, [subject, html, previewText]) }),
  ...(abSubjectB ? [compileContent({ subject: abSubjectB, html: '', text: null, strings: stringsIn(strings, [abSubjectB]) })] : []),
];

/** Returns what finds the content that a reader gets, by locale. */
function contentsByLanguage(campaign: Campaign, strings: Strings | null): (locale: string | null) => readonly CompiledContent[] {
  const own = compiled(campaign, strings);
  const variants = new Map(Object.entries(campaign.variants ?? {}).map(([language, variant]) => [language, compiled(variant, strings)]));
  const languageFor = languageChooser([...variants.keys()]);
  return (locale) => variants.get(languageFor(locale) ?? '') ?? own;
}

/** Counts the readers for whom each placeholder has no value; as many readers as fit into 3 seconds. */
async function countMissing(campaign: Campaign, readers: readonly ContactFields[], strings: Strings | null) {
  const contentsFor = contentsByLanguage(campaign, strings);
  const missing = new Map<string, number>();
  const breathe = yielder();
  const until = performance.now() + ALL_MS;
  let seen = 0;
  for (const reader of readers) {
    if (performance.now() > until) break;
    for (const name of new Set(contentsFor(reader.locale).flatMap((content) => content.missing(content.valuesFor({}, reader), SPECIMEN)))) {
      missing.set(name, (missing.get(name) ?? 0) + 1);
    }
    seen += 1;
    await breathe();
  }
  return { missing, seen };
}

/** Finds placeholders without a value among a sample of the audience, and those of other services, which are sent as they are written. */
export async function checkPlaceholders(campaign: Campaign, readers: readonly ContactFields[], strings: Strings | null): Promise<Finding> {
  const { subject, abSubjectB, previewText, body } = campaign;
  const foreign = foreignPlaceholder([subject, abSubjectB ?? '', previewText ?? '', body]);
  if (foreign)
    return found('warn', 'placeholders', `A placeholder of ${foreign.service} is sent as it is written.`, FOREIGN, foreign.written);
  try {
    const { missing, seen } = await countMissing(campaign, readers, strings);
    const sampled = `of a sample of ${seen}`;
    if (missing.size === 0) return fine('placeholders', 'Each placeholder has a value.', sampled);
    const shares = [...missing].sort(([, a], [, b]) => b - a).map(([name, some]) => `{{${name}}}: ${percent(some, seen)}`);
    return found('warn', 'placeholders', 'Placeholders have no value for part of the audience.', FILL, `${listed(shares)}, ${sampled}`);
  } catch (error) {
    if (!(error instanceof TemplateRenderError)) throw error;
    return found(
      'warn',
      'placeholders',
      'The message cannot be rendered for part of the audience.',
      'Simplify loops and nested blocks.',
      error.message,
    );
  }
}
