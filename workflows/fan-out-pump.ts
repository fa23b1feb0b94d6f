import { fanOutProgressQuery, wakeSignal } from '../src/contracts/fan-out';
import type { FanOutPumpInput } from '../src/contracts/fan-out';
import { pumpShard } from './shard-pump';
import { summarizedActivities } from './summarized';

/** A pump that fails waits for the database or for a worker: it is retried forever, and soon. */
const { pumpFanOut } = summarizedActivities({
  taskQueue: 'pumps',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

/** Delivers the events of one shard forever. */
export const fanOutPump = (input: FanOutPumpInput): Promise<void> =>
  pumpShard(
    {
      wake: wakeSignal,
      query: fanOutProgressQuery,
      progress: ({ handled, state }) => ({ handled, state }),
      working: 'handing on',
      run: (shard) => pumpFanOut({ shard }),
      says: {
        working: () => 'handing events on',
        waiting: (handled) => `${handled} handed on; waits for the next event`,
        timer: 'until the next event',
      },
    },
    input,
  );
