import { LRUCache } from 'lru-cache';
import { conflict } from '../../platform/core';
import type { Context } from '../../platform/core';
import { inTransaction, perDatabase } from '../../platform/mongo';
import { setTranslations } from '../../records/projects';
import { keysWithout, languagesOf, mayReadStrings } from '../../rules/strings';
import type { Strings } from '../../rules/strings';
import { TranslationsModel } from './model';
import type { TranslationsRow } from './model';
import { compileContent } from '../../message/template';
import { awaitLargeWork } from '../../platform/limits';
import { languageChooser } from '../../rules/translations';
import type { Translation, Translations } from '../../rules/translations';

/** Strings of the projects that were asked for last, in characters. */
const CACHED_CHARACTERS = 16 * 1024 * 1024;

/** A project's strings, as they are stored. */
export interface StoredStrings {
  readonly strings: Strings;
  /** 0 before the first change. */
  readonly version: number;
  readonly updatedAt: Date | null;
}

const NONE: StoredStrings = { strings: {}, version: 0, updatedAt: null };

const read = ({ strings, version, updatedAt }: TranslationsRow): StoredStrings => ({
  strings: JSON.parse(strings) as Strings,
  version,
  updatedAt,
});

/** Resolves to a project's strings. */
export async function getTranslations({ projectId }: Pick<Context, 'projectId'>): Promise<StoredStrings> {
  const row = await TranslationsModel.findById(projectId).lean<TranslationsRow>();
  return row ? read(row) : NONE;
}

/** Replaces a project's strings. Throws `conflict` if `version` is given and no longer theirs. */
export function putTranslations({ projectId }: Context, strings: Strings, version?: number): Promise<StoredStrings> {
  return inTransaction(async (session) => {
    const before = await TranslationsModel.findById(projectId, { version: 1 }, { session }).lean<Pick<TranslationsRow, 'version'>>();
    const known = before?.version ?? 0;
    if (version !== undefined && version !== known)
      throw conflict('The translations have changed since you read them. Read them again, and repeat your change');
    const row = { version: known + 1, strings: JSON.stringify(strings), updatedAt: new Date() };
    await TranslationsModel.updateOne({ _id: projectId }, { $set: row }, { session, upsert: true });
    await setTranslations(projectId, row.version, session);
    return { ...row, strings };
  });
}

const cached = perDatabase(() => new LRUCache<string, Strings>({ maxSize: CACHED_CHARACTERS }));

/** Resolves to the strings that mail of a project reads; null if it has none. They are read once for each version that a project's row names. */
export async function stringsOf({
  _id: projectId,
  translations,
}: Pick<Context['project'], '_id' | 'translations'>): Promise<Strings | null> {
  if (translations === undefined) return null;
  const key = `${projectId}/${translations}`;
  const known = cached().get(key);
  if (known) return known;
  const row = await TranslationsModel.findById(projectId).lean<TranslationsRow>();
  if (!row) return null;
  const { strings } = read(row);
  cached().set(key, strings, { size: row.strings.length });
  return strings;
}

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
