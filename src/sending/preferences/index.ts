export { preferencesOf, versionOf } from './read';
export type { Preferences } from './read';
export { savePreferences } from './save';
export type { PreferencesForm, SavedPreferences, UndoForm } from './save';
