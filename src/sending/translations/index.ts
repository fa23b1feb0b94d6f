export { getTranslations, putTranslations, stringsOf } from './service';
export type { StoredStrings } from './service';
