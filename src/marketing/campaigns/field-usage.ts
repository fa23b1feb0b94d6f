import type { Context } from '../../platform/core';
import { compileContent } from '../../message/template';
import { fieldsRead } from '../../rules/conditions/inventory';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { treeOf } from './refusals';

type Readable = Pick<Campaign, '_id' | 'name' | 'subject' | 'abSubjectB' | 'previewText' | 'body' | 'audience' | 'filter'>;

const READ = { name: 1, subject: 1, abSubjectB: 1, previewText: 1, body: 1, audience: 1, filter: 1 } as const;

/** Finds campaigns whose content or filter reads a custom field of contacts, newest first. One that reads `data` as a whole counts when it names the field. */
export async function campaignsReading(ctx: Context, field: string): Promise<readonly Pick<Campaign, '_id' | 'name'>[]> {
  const found: Pick<Campaign, '_id' | 'name'>[] = [];
  // One after another: all of their contents together may exceed the memory of the process.
  const campaigns = CampaignModel.find({ projectId: ctx.projectId }, READ).sort({ createdAt: -1, _id: -1 }).lean<Readable>().cursor();
  for await (const campaign of campaigns) {
    const { _id, name } = campaign;
    if (filterReads(campaign, field) || contentReads(campaign, field)) found.push({ _id, name });
  }
  return found;
}

const filterReads = ({ audience, filter }: Readable, field: string): boolean =>
  audience === 'filter' && filter !== null && fieldsRead(treeOf(filter)).includes(field);

function contentReads({ subject, abSubjectB, previewText, body }: Readable, field: string): boolean {
  const text = [subject, abSubjectB ?? '', previewText ?? '', body].join('\n');
  if (!text.includes(field)) return false;
  return [subject, abSubjectB ?? ''].some((line) => {
    const { placeholders, dataKeys } = compileContent({ subject: line, html: body, text: null, previewText });
    return placeholders.includes('data') && (dataKeys?.has(field) ?? true);
  });
}
