export { preferencesOf } from './read';
export type { Preferences } from './read';
export { savePreferences } from './save';
export type { PreferencesForm, SavedPreferences, UndoForm } from './save';
export { versionOf } from './version';
