export type { StoredFile } from './model';
export { PICTURE_TYPES } from './picture';
export { deleteFile, getFile, listFiles, removeOrphanedBlobs, servedFile, storeFile } from './service';
