import { Client, Connection } from '@temporalio/client';
import type { Config } from '../config';

/** A client that connects when it is first used, so that a process starts, and takes requests, while Temporal is away. */
export function connectTemporal(config: Pick<Config, 'TEMPORAL_NAMESPACE'> & { readonly TEMPORAL_ADDRESS: string }): Client {
  const connection = Connection.lazy({ address: config.TEMPORAL_ADDRESS });
  return new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
}

/** Whether Temporal answers within two seconds. */
export async function temporalAnswers(client: Client): Promise<boolean> {
  try {
    await client.connection.withDeadline(Date.now() + 2_000, () =>
      client.workflowService.describeNamespace({ namespace: client.options.namespace }),
    );
    return true;
  } catch {
    return false;
  }
}
