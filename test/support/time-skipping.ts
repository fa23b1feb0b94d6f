import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker';
import { ensureSearchAttributes } from '../../src/platform/temporal/search-attributes';
import { timeSkippingExecutable } from './servers';

const START_WITHIN_MS = 120_000;

/**
 * Starts a Temporal server whose time can be skipped, once for each test file. The SDK gives its Java process five seconds to come up,
 * which a busy machine does not keep, so that a start which took longer is begun again.
 */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
  const executable = { type: 'existing-path' as const, path: await timeSkippingExecutable() };
  const deadline = Date.now() + START_WITHIN_MS;
  for (;;) {
    try {
      const env = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
      await ensureSearchAttributes(env.client, env.namespace ?? 'default');
      return env;
    } catch (error) {
      if (Date.now() > deadline || !String(error).includes('ephemeral server')) throw error;
    }
  }
}
