import { noteChange } from '../../src/records/audit';
import type { Caller } from './auth';
import { Reply } from './answers';
import { statusOf } from './endpoint';
import type { Audited, Endpoint } from './endpoint';
import type { Input } from './input';
import { isReplay } from './once';

/** Returns the audit entry of an update; null if the update changes nothing. */
export const updated = (what: string, id: string, body: object): Audited | null =>
  Object.keys(body).length > 0 ? [`${what}.update`, id] : null;

/** Writes down what an operation has changed, where its declaration asks for it; a replay has changed nothing. The request waits up to a second, and never fails because of it. */
export async function auditChange(
  endpoint: Endpoint,
  { ctx, by }: Pick<Caller, 'ctx' | 'by'>,
  { params, body }: Input,
  answer: unknown,
): Promise<void> {
  if (!endpoint.audit || isReplay(answer)) return;
  const { status, data } = answer instanceof Reply ? (answer as Reply<unknown>) : { status: statusOf(endpoint), data: answer };
  const changed = endpoint.audit({ ctx, params, body, data, status });
  if (!changed) return;
  const [action, subject, reason] = changed;
  await noteChange(ctx.core, { projectId: ctx.projectId, by, action, subject, ...(reason !== undefined && { reason }) });
}
