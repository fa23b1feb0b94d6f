export { missingStrings, namedString, getTranslations, putTranslations, stringsOf } from './service';
export type { StringGaps, TranslatedTexts, StoredStrings } from './service';
