import type { Document } from 'mongodb';
import { EmailModel } from './model';
import { TAG_INDEX } from './indexes';

/** Mail of one kind, accepted in a span. */
export interface Tagged {
  readonly projectId: string;
  /** Tag in the form `name:value`. */
  readonly tag: string;
  readonly from: Date;
  readonly to: Date;
}

/** Outcomes of the live messages with a tag that were accepted in a bucket of time, by source. */
export interface TaggedCounts {
  readonly _id: { readonly at: Date; readonly source: 'transactional' | 'workflow' };
  readonly sent: number;
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly complained: number;
  readonly failed: number;
  readonly unsubscribed: number;
}

const times = (condition: Document): Document => ({ $sum: { $cond: [condition, 1, 0] } });
const has = (member: string): Document => ({ $gt: [`$${member}`, null] });
const hasNot = (member: string): Document => ({ $lte: [`$${member}`, null] });

/** Reads the rows of the span along the index of tags. */
export const countTagged = ({ projectId, tag, from, to }: Tagged, unit: 'hour' | 'day' | 'month'): Promise<TaggedCounts[]> =>
  EmailModel.collection
    .aggregate<TaggedCounts>(
      [
        { $match: { projectId, tags: tag, createdAt: { $gte: from, $lt: to }, testMode: false } },
        {
          $group: {
            _id: { at: { $dateTrunc: { date: '$createdAt', unit } }, source: '$source' },
            sent: times({ $or: [has('sentAt'), has('bouncedAt')] }),
            delivered: times({ $and: [has('deliveredAt'), hasNot('bouncedAt')] }),
            opened: times(has('openedAt')),
            clicked: times(has('clickedAt')),
            bounced: times(has('bouncedAt')),
            complained: times(has('complainedAt')),
            failed: times({ $eq: ['$status', 'failed'] }),
            unsubscribed: times(has('unsubscribedAt')),
          },
        },
      ],
      { hint: TAG_INDEX },
    )
    .toArray();
