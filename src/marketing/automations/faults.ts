import { AppError } from '../../platform/core';
import { TemplateRenderError } from '../../message/template';
import type { Input } from '../../rules/automation/machine';

const FAULTS: ReadonlySet<string> = new Set(['validation_error', 'send_failed', 'not_found', 'conflict', 'limit_exceeded']);

/** Turns a fault of the automation's author into the result of its node; any other failure is thrown. */
export async function orFailed<T>(work: () => Promise<T>): Promise<T | Extract<Input, { kind: 'failed' }>> {
  try {
    return await work();
  } catch (error) {
    const isFault = error instanceof TemplateRenderError || (error instanceof AppError && FAULTS.has(error.code));
    if (!isFault) throw error;
    return { kind: 'failed', error: error.message };
  }
}
