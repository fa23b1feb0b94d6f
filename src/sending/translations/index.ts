export { missingStrings, namedString } from './gaps';
export type { StringGaps, TranslatedTexts } from './gaps';
export { getTranslations, putTranslations, stringsOf } from './service';
export type { StoredStrings } from './service';
