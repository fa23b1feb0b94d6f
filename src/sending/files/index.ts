export { removeOrphanedBlobs, removeOutsideContents } from './blobs';
export type { StoredFile } from './model';
export { PICTURE_TYPES } from './picture';
export { fileUsers, fileUses, findShowing, deleteFile, getFile, listFiles, servedFile, storeFile } from './service';
export type { FileSearch, FileUse } from './service';
