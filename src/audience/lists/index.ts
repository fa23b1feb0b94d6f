export { eraseFromImports, refusedRowsOf } from './erase-imports';
export { exportContacts } from './export';
export { fieldOf } from './import-columns';
export type { ContactImport } from './import-model';
export { failImport, importSlice, planImport } from './import-run';
export type { ImportHost } from './import-run';
export { getImport, isImportOver, listImports, startImport } from './import-service';
export type { ImportInList } from './import-service';
export { listContacts } from './list';
