/*
 * Batches: many pieces of work, few commands.
 *
 * A room says what is one piece, what may not be committed at the same time, and how a batch is committed:
 *
 *   new Batcher(commitGroup, { keys: ({ ctx }) => [ctx.projectId], most: 2_000, size: ({ units }) => units })
 *
 * `add` resolves to what `commit` of the item's batch resolves to, so a caller that awaits it knows that its item is committed. A batch takes what comes for
 * `waitMs`, or in one iteration of the event loop, and while the batch before it is committed: the slower the database, the larger the
 * batches. With `gatherMs`, it also waits for items that a busy process is about to add.
 * `batched` is the same for reads: a lookup of many becomes a lookup of one. `Sequence` is what batches of one key wait in, for work that is not batched.
 *
 * | killed                         | found               | happens                                                                              |
 * |--------------------------------|---------------------|--------------------------------------------------------------------------------------|
 * | before `commit`                | nothing of a batch  | callers have no answer and ask again; what nobody awaits is lost, as its room says   |
 * | while `commit` runs            | what `commit` wrote | the same: a commit that must be whole is a transaction                               |
 * | after it, before an answer     | the whole batch     | callers ask again, and find that it is done                                          |
 *
 * One that is awaited by nobody has a `commit` that does not reject. An instance belongs to a Core (`perCore`) or to the database (`perDatabase`).
 */
export { Batcher, Sequence, batched } from './batcher';
