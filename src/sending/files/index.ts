export { removeOrphanedBlobs, removeOutsideContents } from './blobs';
export type { StoredFile } from './model';
export { PICTURE_TYPES } from './picture';
export { deleteFile, getFile, listFiles, servedFile, storeFile } from './service';
