import mongoose from 'mongoose';
import { newId } from '../../../src/platform/core/ids';
import { REMOVED } from '../../../src/upkeep/project-removal/registry';

type Row = Readonly<Record<string, unknown>>;

const collectionsIn = async () => (await mongoose.connection.db?.collections()) ?? [];

/** Rows of all collections that hold one of the marks, as text. */
export async function rowsEverywhere(marks: readonly string[]): Promise<string[]> {
  const rows = await Promise.all(
    (await collectionsIn())
      .filter(({ collectionName }) => !collectionName.startsWith('system.'))
      .map(async (collection) => (await collection.find().toArray()).map((row) => `${collection.collectionName} ${JSON.stringify(row)}`)),
  );
  return rows
    .flat()
    .filter((row) => marks.some((mark) => row.includes(mark)))
    .sort();
}

/**
 * Puts a row of a project into each collection that is emptied of a removed one, in the form that it is found by. Resolves to a mark of each, which is in that
 * row alone.
 */
export async function seedEverywhere(projectId: string): Promise<readonly string[]> {
  const [campaignId, importId] = [newId('cmp'), newId('imp')];
  const [hash, personId] = [newId('key'), newId('prs')];
  await mongoose.connection
    .collection('projects')
    .updateOne({ _id: projectId as never }, { $push: { keys: { hash, revokedAt: new Date() }, members: { personId } } as never });
  const shapes: Readonly<Record<string, (mark: string) => Row>> = {
    campaigns: (mark) => ({ _id: campaignId, projectId, mark }),
    campaign_claims: (mark) => ({ _id: mark, campaignId }),
    campaign_pages: (mark) => ({ _id: mark, campaignId }),
    campaign_recipients: (mark) => ({ _id: `${campaignId}/0${mark}` }),
    campaign_clicks: (mark) => ({ _id: `${campaignId}/0${mark}` }),
    campaign_links: (mark) => ({ _id: `${campaignId}/0${mark}` }),
    campaign_turns: (mark) => ({ _id: `${campaignId}/0${mark}` }),
    contact_imports: (mark) => ({ _id: importId, projectId, mark }),
    contact_import_pieces: (mark) => ({ _id: `${importId}:000001`, mark }),
    outbox: (mark) => ({ _id: mark, intent: JSON.stringify({ workflow: 'erasure', attributes: { projectId } }) }),
    processes_under_way: (mark) => ({ _id: mark, intent: JSON.stringify({ workflow: 'erasure', attributes: { projectId } }) }),
    usage: (mark) => ({ _id: `${projectId}/2020-01`, mark }),
    key_rates: (mark) => ({ _id: hash, mark }),
    key_uses: (mark) => ({ _id: hash, mark }),
    persons: (mark) => ({ _id: personId, address: mark }),
    event_listeners: (mark) => ({ _id: projectId, mark }),
    contact_field_recounts: (mark) => ({ _id: projectId, mark }),
    retention_marks: (mark) => ({ _id: projectId, mark }),
    translations: (mark) => ({ _id: projectId, mark }),
    rate_buckets: (mark) => ({ _id: projectId, mark }),
  };
  const marks: string[] = [];
  for (const name of REMOVED) {
    const mark = newId('mrk');
    const { _id, ...row } = shapes[name]?.(mark) ?? { _id: mark, projectId, domain: mark, templateId: mark };
    await mongoose.connection.collection(name).replaceOne({ _id: _id as never }, row, { upsert: true });
    marks.push(mark);
  }
  return marks;
}
