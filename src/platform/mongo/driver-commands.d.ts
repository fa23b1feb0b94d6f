/** A part of the driver that it does not declare: rows for a command, encoded already. */
declare module 'mongodb/lib/cmap/commands' {
  export function makeDocumentSequence(field: string, documents: readonly object[], serialized: readonly Uint8Array[]): object;
}
