import type { ClientSession } from 'mongoose';
import type { MailHappening } from '../stats';
import { COUNTED_NAMES, happeningsOf } from '../stats';
import { historyBetween } from '../emails';
import type { MailCount } from '../emails';
import { EventModel } from './model';

/**
 * Resolves to what happened to a project's live mail from an instant up to another, exclusive, both within one hour: counted from its events. The instants in
 * it are not kept. Costs a check each such event, so it is for less than an hour.
 */
export async function mailBetween(session: ClientSession, projectId: string, from: Date, to: Date): Promise<readonly MailHappening[]> {
  const alone = await countAlone(session, projectId, from, to);
  const inRows = await historyBetween(session, projectId, from, to);
  return [
    ...alone.flatMap(({ _id: { name, source, late }, count }) =>
      happeningsOf({ projectId, name, data: { source, late }, testMode: false, at: from }).map((one) => ({ ...one, by: count })),
    ),
    ...happeningsIn(inRows),
  ];
}

/** Returns what statistics count. Delivery counts events with rows of their own, the tally those that rows of messages hold: each exactly once. */
export const happeningsIn = (mail: readonly MailCount[]): readonly MailHappening[] =>
  mail.flatMap(({ projectId, source, name, hour, count }) =>
    happeningsOf({ projectId, name, data: { source }, testMode: false, at: hour }).map((one) => ({ ...one, by: count })),
  );

interface NameCount {
  readonly _id: { readonly name: string; readonly source: string; readonly late?: boolean };
  readonly count: number;
}

const countAlone = (session: ClientSession, projectId: string, from: Date, to: Date): Promise<NameCount[]> =>
  EventModel.collection
    .aggregate<NameCount>(
      [
        {
          $match: {
            projectId,
            name: { $in: [...COUNTED_NAMES] },
            createdAt: { $gte: from, $lt: to },
            testMode: false,
            'data.first': { $ne: false },
            undone: { $ne: true },
          },
        },
        { $group: { _id: { name: '$name', source: '$data.source', late: '$data.late' }, count: { $sum: 1 } } },
      ],
      { session, hint: { projectId: 1, name: 1, createdAt: -1, _id: -1 } },
    )
    .toArray();
