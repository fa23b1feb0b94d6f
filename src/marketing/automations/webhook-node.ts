import type { Core } from '../../platform/core';
import type { AdvanceInput, CallInput, Called, Todo } from '../../contracts/automation';
import { TemplateRenderError } from '../../message/template';
import { resume } from '../../rules/automation/interpreter';
import { hasDotSegments, parsedUrl } from '../../rules/parsed-url';
import type { Input } from '../../rules/automation/machine';
import { prepare, scopeOf } from './act';
import type { NodeRun, GraphPosition } from './act';
import { after, reasonToWait, wayOf } from './advance';
import type { Standing } from './advance';
import { calleeOf, heldBackCall } from './calls';
import type { Execution } from './execution-model';
import { loadGraph, nodeOfType } from './graphs';
import { executionNow } from './now';
import { encoded, renderAll, renderText } from './texts';
import type { Scope } from './texts';
import { NOTHING_KNOWN, by, complete } from './transitions';
import { callOut } from '../../platform/http-client';
import type { Answered, Call, Permit } from '../../platform/http-client';

const ATTEMPTS = 3;
const PAUSES_MS = [1_000, 5_000];
const MAX_HEADER = 998;
/** Characters that a header value may not hold (RFC 9110, 5.5). */
const NOT_IN_HEADERS = /[^\t\x20-\x7e\x80-\xff]/g;

/**
 * Calls the server of a `webhook` node and records the outcome; after a failure that may pass, returns the next attempt. A worker that dies between the call
 * and the record calls again, with the same key in the request. While the server may not be called, the workflow waits and spends no attempt.
 */
export async function callNode(core: Core, { attempt, ...input }: CallInput): Promise<Called> {
  const called = await callAt(core, { attempt, ...input });
  return 'next' in called ? called : { ...called.todo, way: wayOf(called.execution, input.known) };
}

async function callAt(core: Core, { attempt, ...input }: CallInput): Promise<Todo | Standing> {
  const position = await positionAt(core, input);
  if (!position) return after(core, input, NOTHING_KNOWN);
  const callee = calleeOf(position);
  const permit = core.calls.ask(callee);
  if (!permit) return heldBackCall(core, callee, position.nodeId, attempt);
  return carryOut(position, attempt, permit).finally(() => permit.leave(null));
}

async function carryOut(position: CallPosition, attempt: number, permit: Permit): Promise<Todo | Standing> {
  const hold = await reasonToWait(position);
  if (hold) return hold;
  const run = await prepare(position, position.nodeId);
  const outcome = 'kind' in run ? run : await attemptOf(run, attempt, permit);
  if ('next' in outcome) return outcome;
  const { core, execution, graph, now } = position;
  const result = await complete(execution, graph, now, by(outcome));
  return after(core, { executionId: execution._id, projectId: execution.projectId }, result);
}

interface CallPosition extends GraphPosition {
  readonly nodeId: string;
}

/** Loads an execution at its webhook node; null when it is at no such node, or no longer. */
async function positionAt(core: Core, { now, ...key }: AdvanceInput): Promise<CallPosition | null> {
  const execution = await executionNow(key);
  if (!execution?.state || execution.pending !== null) return null;
  const graph = await loadGraph(key.projectId, execution.graphId);
  const effect = resume(graph, execution.state).effect;
  return effect.kind === 'callWebhook' ? { core, execution, graph, now: new Date(now), nodeId: effect.nodeId } : null;
}

async function attemptOf(run: NodeRun, attempt: number, permit: Permit): Promise<Input | Extract<Todo, { next: 'call' }>> {
  const call = callOf(run);
  if ('error' in call) return { kind: 'webhookAnswered', ok: false, status: null, body: null, error: call.error };
  const { config, dns } = run.core;
  const answered = await callOut(call, { rules: config, dns, limitMs: config.WEBHOOK_TIMEOUT_SECONDS * 1_000 });
  permit.leave(answered);
  if (answered.temporary && attempt < ATTEMPTS) {
    return { next: 'call', nodeId: run.nodeId, attempt: attempt + 1, afterMs: PAUSES_MS[attempt - 1] ?? 0 };
  }
  return { kind: 'webhookAnswered', ok: answered.error === null, ...shown(answered) };
}

const shown = ({ status, body, error }: Answered): Pick<Answered, 'status' | 'body' | 'error'> => ({ status, body, error });

/** Returns the request with its placeholders replaced, or the reason why it cannot be made. */
function callOf(run: NodeRun): Call | { readonly error: string } {
  const { graph, nodeId, execution } = run;
  const { url, method, headers = {}, body } = nodeOfType(graph, nodeId, 'webhook').config;
  const scope = scopeOf(run);
  try {
    const written = renderText(url, encoded(scope));
    const target = parsedUrl(written);
    if (!target) return { error: 'The URL is not valid once its placeholders are replaced' };
    if (written !== url && hasDotSegments(written)) return { error: 'A value turns a segment of the URL\'s path into "." or ".."' };
    const text = body === undefined ? null : JSON.stringify(renderAll(body, scope));
    return { url: target, method, headers: headersOf(headers, scope, execution, nodeId, text !== null), body: text };
  } catch (error) {
    if (!(error instanceof TemplateRenderError)) throw error;
    return { error: error.message };
  }
}

function headersOf(
  given: Readonly<Record<string, string>>,
  scope: Scope,
  { _id, testMode }: Execution,
  nodeId: string,
  hasBody: boolean,
): Record<string, string> {
  const own = {
    'user-agent': 'Lettermill',
    accept: '*/*',
    'idempotency-key': `${_id}/${nodeId}`,
    ...(hasBody && { 'content-type': 'application/json' }),
  };
  const rendered = Object.entries(given).map(([name, value]) => [name.toLowerCase(), headerValue(renderText(value, scope))]);
  return { ...own, ...(Object.fromEntries(rendered) as Record<string, string>), ...(testMode && { 'x-lettermill-test-mode': 'true' }) };
}

const headerValue = (text: string): string => text.replace(NOT_IN_HEADERS, ' ').trim().slice(0, MAX_HEADER);
