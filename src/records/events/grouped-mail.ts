import type { ClientSession } from 'mongoose';
import type { MailHappening } from '../stats';
import { happeningsOf } from '../stats';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';

/** When it was received, by the database's clock. */
export interface Received {
  readonly $gt: Date;
  readonly $lte?: Date;
}

/** Messages of a project in groups, by the UTC hour of their events. */
export interface GroupedMail extends Pick<EventGroup, 'projectId' | 'source'> {
  readonly name: string;
  readonly hour: Date;
  readonly count: number;
  readonly lastSeenAt: Date;
}

const UNDONE = { $size: { $ifNull: ['$undone', []] } };

/** Resolves to the counts in groups that were received in a span, of one project or of all. What was undone is counted, and was taken out of its hour. */
export const groupedMail = (session: ClientSession, receivedAt: Received, projectId?: string): Promise<GroupedMail[]> =>
  gather(session, { receivedAt, ...(projectId !== undefined && { projectId }) }, { receivedAt: 1 }, '$count');

/** Resolves to the counts in groups of a project from an instant up to another, exclusive, without what was undone. */
export const groupedMailBetween = (session: ClientSession, projectId: string, from: Date, to: Date): Promise<GroupedMail[]> =>
  gather(
    session,
    { projectId, createdAt: { $gte: from, $lt: to } },
    { projectId: 1, createdAt: -1, _id: -1 },
    {
      $subtract: ['$count', { $cond: [{ $eq: ['$names', 'email.delivered'] }, UNDONE, 0] }],
    },
  );

const gather = (
  session: ClientSession,
  asked: object,
  hint: Readonly<Record<string, 1 | -1>>,
  count: '$count' | object,
): Promise<GroupedMail[]> =>
  EventGroupModel.collection
    .aggregate<GroupedMail>(
      [
        { $match: asked },
        { $unwind: '$names' },
        {
          $group: {
            _id: {
              projectId: '$projectId',
              source: '$source',
              name: '$names',
              hour: { $dateTrunc: { date: '$createdAt', unit: 'hour' } },
            },
            count: { $sum: count },
            lastSeenAt: { $max: '$createdAt' },
          },
        },
        { $replaceWith: { $mergeObjects: ['$_id', { count: '$count', lastSeenAt: '$lastSeenAt' }] } },
      ],
      { session, hint },
    )
    .toArray();

/** Returns what statistics count. Delivery counts events that it stores alone, and events in groups are counted from the groups: each exactly once. */
export const happeningsIn = (mail: readonly GroupedMail[]): readonly MailHappening[] =>
  mail.flatMap(({ projectId, source, name, hour, count }) =>
    happeningsOf({ projectId, name, data: { source }, testMode: false, at: hour }).map((one) => ({ ...one, by: count })),
  );
