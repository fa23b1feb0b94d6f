import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { edge, node, send } from '../calls/automations';
import { forTheFile } from '../run/for-the-file';

/** A server that answers webhook nodes, and the idempotency keys that it was called with. */
export interface Hook {
  readonly url: string;
  readonly keys: string[];
  readonly close: () => void;
}

async function startHook(): Promise<Hook> {
  const keys: string[] = [];
  const server = createServer((req, res) => {
    keys.push(String(req.headers['idempotency-key']));
    res.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, keys, close };
}

interface Places {
  /** Segments that are entered and left. */
  readonly into: string;
  readonly outOf: string;
  readonly url: string;
  /** Length of the delay and of the wait. */
  readonly pause: { readonly amount: number; readonly unit: string };
}

const yes = { logic: 'and', groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }] };

/** Every kind of node, one behind the other: fifteen of them. */
export const everyNode = ({ into, outOf, url, pause }: Places) => ({
  nodes: [
    node('start', 'trigger'),
    send('mail-1'),
    node('hook', 'webhook', { url }),
    node('change', 'update_contact', { data: { seen: '{{event.run}}' } }),
    node('short', 'delay', pause),
    send('mail-2', { type: 'marketing' }),
    node('asked', 'condition', { conditions: yes }),
    node('which', 'switch', { field: 'subscribed', cases: [{ branch: 'on', operator: 'equals', value: true }] }),
    node('in', 'add_to_segment', { segmentId: into }),
    node('out', 'remove_from_segment', { segmentId: outOf }),
    node('told', 'emit_event', { name: 'halfway' }),
    node('either', 'split', { branches: [{ branch: 'only', weight: 1 }] }),
    node('wait', 'wait_for_event', { event: 'never.comes', timeout: pause }),
    send('mail-3'),
    node('end', 'exit', { reason: 'done' }),
  ],
  edges: [
    edge('start', 'mail-1'),
    edge('mail-1', 'hook'),
    edge('hook', 'change', 'success'),
    edge('change', 'short'),
    edge('short', 'mail-2'),
    edge('mail-2', 'asked'),
    edge('asked', 'which', 'yes'),
    edge('which', 'in', 'on'),
    edge('in', 'out'),
    edge('out', 'told'),
    edge('told', 'either'),
    edge('either', 'wait', 'only'),
    edge('wait', 'mail-3', 'timeout'),
    edge('mail-3', 'end'),
  ],
});

/** A server that answers webhook nodes for the tests of a file. */
export const aHook = (): Hook => forTheFile(startHook, (hook) => hook.close());
