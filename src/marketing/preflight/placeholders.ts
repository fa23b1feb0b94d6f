import { TemplateRenderError, compileContent, foreignPlaceholder } from '../../message/template';
import type { CompiledContent, ContactFields } from '../../message/template';
import { stringsIn } from '../../rules/strings';
import type { Strings } from '../../rules/strings';
import { yielder } from '../../platform/async';
import { fine, found, listed } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { SPECIMEN } from '../../sending/accept';
import type { Campaign } from '../campaigns';

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
    return found(
      'warn',
      'placeholders',
      'The message cannot be rendered for part of the audience.',
      'Simplify loops and nested blocks.',
      error.message,
    );
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
