import type { ClientSession } from 'mongoose';
import { EventGroupModel } from './group-model';

/** When it was received, by the database's clock. */
export interface Received {
  readonly $gt: Date;
  readonly $lte?: Date;
}

/** Messages of a project that were told of in groups, by the UTC hour in which it happened. */
export interface GroupedMail {
  readonly projectId: string;
  readonly source: string;
  readonly name: string;
  readonly hour: Date;
  readonly count: number;
  readonly lastSeenAt: Date;
}

/** What groups that were received in a span tell, of one project or of all. */
export const groupedMail = (session: ClientSession, receivedAt: Received, projectId?: string): Promise<GroupedMail[]> =>
  EventGroupModel.collection
    .aggregate<GroupedMail>(
      [
        { $match: { receivedAt, ...(projectId !== undefined && { projectId }) } },
        { $unwind: '$names' },
        {
          $group: {
            _id: {
              projectId: '$projectId',
              source: '$source',
              name: '$names',
              hour: { $dateTrunc: { date: '$createdAt', unit: 'hour' } },
            },
            count: { $sum: { $size: '$emails' } },
            lastSeenAt: { $max: '$createdAt' },
          },
        },
        { $replaceWith: { $mergeObjects: ['$_id', { count: '$count', lastSeenAt: '$lastSeenAt' }] } },
      ],
      { session, hint: { receivedAt: 1 } },
    )
    .toArray();
