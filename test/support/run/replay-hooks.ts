import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';

/**
 * For a file that replays histories. Replays run in the thread of the tests, and would install hooks that record a stack for every promise: the tests need
 * no such stacks, and all later files of the process would be slower.
 */
export const replaysRecordNoStacks = (): void => void jest.spyOn(globalHandlers, 'install').mockReturnValue(undefined);
