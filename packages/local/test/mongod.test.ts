import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { mongoUriAt, mongodCommand, mongodReady } from '../src/mongod';
import { aFolder } from '../../../test/support/run/folder';
import { endProcess, freePort, mongodBinary } from '../../../test/support/run/servers';

jest.setTimeout(240_000);

const folder = aFolder();

test('a slow query leaves no address in the log of mongod', async () => {
  const [dbPath, log] = [path.join(folder, 'db'), path.join(folder, 'mongod.log')];
  mkdirSync(dbPath);
  const port = await freePort();
  const { command, args } = mongodCommand({ binary: await mongodBinary(), dbPath, port });
  const child = spawn(command, [...args, '--logpath', log], { stdio: 'ignore' });
  const client = new MongoClient(mongoUriAt(port), { runtimeAdapters: { os } });
  try {
    await mongodReady(port);
    const people = client.db().collection('people');
    await people.insertOne({ email: 'slow.reader@example.com' });
    const slow = { email: 'slow.reader@example.com', $where: 'sleep(300) || true' };
    expect(await people.find(slow).toArray()).toHaveLength(1);
    await people.updateOne(slow, { $set: { seen: 'slow.reader@example.com' } });
  } finally {
    await client.close();
    await endProcess(child, 'SIGTERM');
  }
  expect(readFileSync(log, 'utf8')).toContain('Waiting for connections');
  expect(readFileSync(log, 'utf8')).not.toContain('slow.reader');
});
