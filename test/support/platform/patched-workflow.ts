import { patched, sleep } from '@temporalio/workflow';

/** A workflow that was changed: it waits longer than it did. */
export async function changing(): Promise<string> {
  const isNew = patched('changing.new-way');
  await sleep(isNew ? '2 hours' : '1 hour');
  if (isNew) await sleep('1 minute');
  return isNew ? 'new' : 'old';
}
