import { rmSync } from 'node:fs';
import path from 'node:path';
import { disconnectMongo } from '../../../src/platform/mongo/connect';
import { testDatabase } from '../run/database';
import { createNamespace, startMongod, startTemporal, testMongoUri, testTemporalAddress } from '../run/servers';
import type { TestServer } from '../run/servers';
import { scratchDir } from '../run/test-run';

/** The servers that a platform uses. */
export interface Ground {
  readonly mongoUri: string;
  readonly temporalAddress: string;
  readonly namespace: string;
  /** The servers themselves, when they are the platform's own. */
  readonly own: { readonly mongod: TestServer; readonly temporal: TestServer } | null;
  leave(): Promise<void>;
}

let platforms = 0;

/** A database that is empty and a namespace of its own, on the servers that all files share unless the caller has its own mongods. */
export async function sharedGround(mongoUri = testMongoUri(testDatabase())): Promise<Ground> {
  const namespace = `e2e_${process.pid}_${Date.now()}_${platforms++}`;
  await createNamespace(namespace);
  return { mongoUri, temporalAddress: testTemporalAddress(), namespace, own: null, leave: disconnectMongo };
}

/** Servers that the test may kill. */
export async function ownGround(uiPort: number | undefined): Promise<Ground> {
  const dir = scratchDir('e2e');
  const [mongod, temporal] = await Promise.all([
    startMongod({ dir: path.join(dir, 'mongo') }),
    startTemporal({ dir: path.join(dir, 'temporal'), uiPort }),
  ]);
  return {
    mongoUri: `mongodb://127.0.0.1:${mongod.port}/lettermill?replicaSet=rs0&directConnection=true`,
    temporalAddress: `127.0.0.1:${temporal.port}`,
    namespace: 'default',
    own: { mongod, temporal },
    leave: async () => {
      await disconnectMongo();
      await Promise.all([temporal.stop(), mongod.stop()]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
