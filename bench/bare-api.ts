import os from 'node:os';
import express from 'express';
import { MongoClient } from 'mongodb';

/** Serves the baseline of `send-api`: Express, a parsed body, one insert with majority, an answer. */
async function main(): Promise<void> {
  const [uri = '', port = '0'] = process.argv.slice(2);
  const client = await new MongoClient(uri, { writeConcern: { w: 'majority' }, runtimeAdapters: { os } }).connect();
  const rows = client.db().collection('bare');
  const app = express();
  app.use(express.json({ limit: '10mb' }));
  app.post('/v1/send', async (req, res) => {
    const { insertedId } = await rows.insertOne({ ...(req.body as object), createdAt: new Date() });
    res.json({ success: true, data: { results: [{ id: insertedId.toString(), status: 'queued' }] } });
  });
  app.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
  process.once('SIGTERM', () => process.exit(0));
}

void main();
