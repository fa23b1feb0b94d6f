import { compileContent } from '../../message/template';
import type { Context } from '../../platform/core';
import { awaitLargeWork } from '../../platform/limits';
import { keysWithout, languagesOf, mayReadStrings } from '../../rules/strings';
import { languageChooser } from '../../rules/translations';
import type { Translation, Translations } from '../../rules/translations';
import { stringsOf } from './service';

type Texts = Omit<Translation, 'fromName'>;

/** A message in all its languages. */
export interface TranslatedTexts extends Texts {
  readonly variants?: Translations | null | undefined;
}

/** The project's strings that a message lacks. */
export interface StringGaps {
  /** The languages of the variants, and those others in which at least one string that the default reads has a text of its own. */
  readonly languages: readonly string[];
  /** The strings that any content reads and that do not exist. */
  readonly absent: readonly string[];
  /** Lists the absent keys that the content in a language reads. Pass null for the default content. */
  readonly absentIn: (language: string | null) => readonly string[];
  /** Lists the existing strings that the content for a language reads and that have no text in that language. */
  readonly lackingIn: (language: string) => readonly string[];
}

const readBy = ({ subject, abSubjectB, body: html, previewText = null }: Texts): readonly string[] => [
  ...compileContent({ subject, html, text: null, previewText }).strings,
  ...(abSubjectB ? compileContent({ subject: abSubjectB, html: '', text: null }).strings : []),
];

const mayRead = ({ subject, abSubjectB, body, previewText }: Texts): boolean => mayReadStrings([subject, abSubjectB, body, previewText]);

/**
 * Finds the project's strings that a message lacks now. Compiles each content once, as large work, and only if it may read strings.
 * Throws `TemplateSyntaxError`.
 */
export async function missingStrings(ctx: Context, content: TranslatedTexts): Promise<StringGaps> {
  const strings = await stringsOf(ctx.project);
  const languages = Object.keys(content.variants ?? {});
  const contents: readonly (readonly [string | null, Texts])[] = [[null, content], ...Object.entries(content.variants ?? {})];
  const reading = contents.filter(([, texts]) => mayRead(texts));
  await awaitLargeWork(
    ctx,
    reading.reduce((sum, [, { body }]) => sum + body.length, 0),
  );
  const read = new Map<string | null, readonly string[]>(contents.map(([language]) => [language, []]));
  for (const [language, texts] of reading) read.set(language, readBy(texts));
  const own = read.get(null) ?? [];
  const readIn = (language: string | null): readonly string[] => read.get(language) ?? own;
  const absent = keysWithout(strings, [...read.values()].flat(), null);
  const languageFor = languageChooser(languages);
  return {
    languages: [...new Set([...languages, ...languagesOf(strings, own).filter((language) => languageFor(language) === null)])],
    absent,
    absentIn: (language) => keysWithout(strings, readIn(language), null),
    lackingIn: (language) => keysWithout(strings, readIn(language), language).filter((key) => !absent.includes(key)),
  };
}

/** Returns how a string is named in a template. */
export const namedString = (key: string): string => `t "${key}"`;
