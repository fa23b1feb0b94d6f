import { compileContent } from '../../message/template';
import type { Context } from '../../platform/core';
import { keysWithout, languagesOf } from '../../rules/strings';
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
  /** Lists the strings that are read in a language, and that have no text for it; for null, those that do not exist. */
  readonly missing: (language: string | null) => readonly string[];
}

const readBy = ({ subject, abSubjectB, body: html, previewText = null }: Texts): readonly string[] => [
  ...compileContent({ subject, html, text: null, previewText }).strings,
  ...(abSubjectB ? compileContent({ subject: abSubjectB, html: '', text: null }).strings : []),
];

/** Resolves to what tells which of the project's strings a message lacks, as they are now. Throws `TemplateSyntaxError`. */
export async function missingStrings({ project }: Pick<Context, 'project'>, content: TranslatedTexts): Promise<StringGaps> {
  const strings = await stringsOf(project);
  const variants = content.variants ?? {};
  const languageFor = languageChooser(Object.keys(variants));
  const own = readBy(content);
  const all = [...own, ...Object.values(variants).flatMap(readBy)];
  return {
    languages: [...new Set([...Object.keys(variants), ...languagesOf(strings, own).filter((language) => languageFor(language) === null)])],
    missing: (language) => {
      if (language === null) return keysWithout(strings, all, null);
      const variant = variants[language];
      return keysWithout(strings, variant ? readBy(variant) : own, language);
    },
  };
}

/** Returns how a string is named in a template. */
export const namedString = (key: string): string => `t "${key}"`;
