export { removeOrphanedBlobs, removeOutsideContents } from './blobs';
export type { StoredFile } from './model';
export { PICTURE_TYPES } from './picture';
export { fileUsers, fileUses, findShowing } from './uses';
export type { FileSearch, FileUse } from './uses';
export { deleteFile, getFile, listFiles, servedFile, storeFile } from './service';
