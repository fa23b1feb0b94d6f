import type { Document } from 'mongodb';
import { ExecutionModel } from './execution-model';

/** What of a step's output names nothing but rows of ours, and reasons of ours. */
const KEPT = ['emailId', 'eventId', 'segmentId', 'skipped', 'status', 'until'];

/** That there was an error. */
const wordless = (member: string) => ({ $cond: [{ $eq: [{ $type: member }, 'string'] }, '', null] });

/** An execution of a contact that is no more: what it says of the contact, and what its steps have seen of it, is gone. Which way it went stays. */
export const OF_NOBODY: readonly Document[] = [
  {
    $set: {
      contactId: null,
      email: null,
      data: '{}',
      pending: null,
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
 * Executions of contacts that are no more, enrolled up to `before` and over, belong to nobody. Those that run are ended by what tells of the deletion,
 * and belong to nobody from then on. Resolves to how many it was.
 */
export async function detachExecutions(projectId: string, contactIds: readonly string[], before: Date): Promise<number> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before }, checkAt: { $exists: false } };
  return (await ExecutionModel.collection.updateMany(filter, [...OF_NOBODY])).modifiedCount;
}
