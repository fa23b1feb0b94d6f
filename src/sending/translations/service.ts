import { LRUCache } from 'lru-cache';
import { conflict } from '../../platform/core';
import type { Context } from '../../platform/core';
import { inTransaction, perDatabase } from '../../platform/mongo';
import { setTranslations } from '../../records/projects';
import type { Strings } from '../../rules/strings';
import { TranslationsModel } from './model';
import type { TranslationsRow } from './model';

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
