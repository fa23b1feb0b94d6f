export { cellText, csvLine } from './csv-cells';
export { eraseFromImports, refusedRowsOf, failImport, importSlice, planImport, slowestImportSince } from './import-run';
export { exportConsent, exportContacts, listContacts } from './export';
export { deleteFile, surveyImport } from './import-file';
export { fieldOf } from './import-columns';
export type { ContactImport } from './import-model';
export type { ImportHost } from './import-run';
export { getImport, isImportOver, listImports, stageImport, startImport, storeJob } from './import-service';
export type { ImportInList } from './import-service';
