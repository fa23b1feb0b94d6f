import type { Act, AskingNode } from '../node';
import { worldOf } from '../stage';

export interface WebhookCall {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

/** Calls a server. In a real execution that is an activity of its own, with attempts and pauses: `src/marketing/automations/webhook-node.ts`. */
export const webhook: AskingNode<WebhookCall, Act<'callWebhook'>> = {
  branches: () => ['success', 'failure'],
  references: ({ url }, path) => ({ urls: [{ url, path: `${path}.url` }] }),
  rendered: ({ url, headers, body }) => ({ url, headers, body }),
  effect: ({ id }) => ({ kind: 'callWebhook', nodeId: id }),
  /** Returns the outcome of a call. One that failed is an outcome, not the end: the node is completed and shows the error. */
  outcome(_node, _state, input) {
    if (input.kind !== 'webhookAnswered') return null;
    const { ok, status, body, error } = input;
    return { branch: ok ? 'success' : 'failure', output: { status, body }, error };
  },
  rehearse: async (stage, node) => ({ kind: 'webhookAnswered', ...(await stage.ports.call(node, worldOf(stage))) }),
};
