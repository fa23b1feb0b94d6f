export type { SavedBlocks } from './model';
export { deleteSavedBlocks, getSavedBlocks, listSavedBlocks, patchSavedBlocks, saveBlocks } from './service';
