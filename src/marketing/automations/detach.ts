import type { Document } from 'mongodb';
import { ExecutionModel } from './execution-model';

/** Members of a step's output without personal data: ids of rows and reasons of the platform. */
const KEPT = ['emailId', 'eventId', 'segmentId', 'skipped', 'detail', 'status', 'until', 'items'];

/** Keeps only that there was an error, without its text. */
const wordless = (member: string) => ({ $cond: [{ $eq: [{ $type: member }, 'string'] }, '', null] });

/** Removes the data of a deleted contact from an execution and its steps. The path that it took stays. */
export const OF_NOBODY: readonly Document[] = [
  {
    $set: {
      contactId: null,
      email: null,
      data: '{}',
      pending: null,
      gathering: '$$REMOVE',
      items: {
        $cond: [
          { $isArray: '$items' },
          { $map: { input: '$items', as: 'item', in: { eventId: '$$item.eventId', name: '$$item.name', at: '$$item.at', data: '{}' } } },
          '$$REMOVE',
        ],
      },
      error: wordless('$error'),
      state: {
        $cond: [
          { $eq: ['$state.phase', 'over'] },
          { $mergeObjects: ['$state', { finish: { $mergeObjects: ['$state.finish', { error: wordless('$state.finish.error') }] } }] },
          '$state',
        ],
      },
      steps: {
        $map: {
          input: '$steps',
          as: 'step',
          in: {
            $mergeObjects: [
              '$$step',
              {
                error: wordless('$$step.error'),
                output: {
                  $cond: [
                    { $eq: [{ $type: '$$step.output' }, 'object'] },
                    {
                      $arrayToObject: {
                        $filter: { input: { $objectToArray: '$$step.output' }, as: 'member', cond: { $in: ['$$member.k', KEPT] } },
                      },
                    },
                    null,
                  ],
                },
              },
            ],
          },
        },
      },
    },
  },
];

/**
 * Detaches ended executions from deleted contacts, enrolled up to `before`. Running ones are ended and detached when the `contact.deleted` event is handled.
 * Resolves to how many it was.
 */
export async function detachExecutions(projectId: string, contactIds: readonly string[], before: Date): Promise<number> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before }, checkAt: { $exists: false } };
  return (await ExecutionModel.collection.updateMany(filter, [...OF_NOBODY])).modifiedCount;
}
