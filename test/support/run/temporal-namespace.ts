import { Client, Connection } from '@temporalio/client';
import { forTheFile } from './for-the-file';
import { createNamespace, testTemporalAddress } from './servers';

/** A namespace of its own on the Temporal server that all files share, by its client, for the tests of a file. */
export const aNamespace = (namespace: string): Client =>
  forTheFile(
    async () => {
      await createNamespace(namespace);
      return new Client({ connection: await Connection.connect({ address: testTemporalAddress() }), namespace });
    },
    (client) => client.connection.close(),
  );
