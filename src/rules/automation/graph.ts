/** A condition tree as it is stored (docs/conditions.md); what its groups hold is read by the rules of conditions. */
export interface StoredTree {
  readonly logic: 'and' | 'or';
  readonly groups: readonly unknown[];
}

export type Unit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks';

export interface Span {
  readonly amount: number;
  readonly unit: Unit;
}

export interface LocalTime {
  /** HH:MM */
  readonly time: string;
  readonly timezone: string;
  /** 1 = Monday; every day when absent. */
  readonly weekdays?: readonly number[] | undefined;
}

export type DelayConfig = Span | { readonly until: string } | LocalTime;

type Json = Readonly<Record<string, unknown>>;

export interface InlineMessage {
  readonly subject: string;
  readonly body: string;
  readonly fromEmail: string;
  readonly fromName?: string | undefined;
  readonly previewText?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly type: 'transactional' | 'marketing';
  readonly variables?: Json | undefined;
}

export interface StoredMessage {
  readonly templateId: string;
  readonly variables?: Json | undefined;
}

export interface ContactUpdate {
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly data?: Json | null | undefined;
  readonly subscribed?: boolean | undefined;
}

export interface WebhookCall {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

interface SwitchCase {
  readonly branch: string;
  readonly operator: string;
  readonly value?: unknown;
}

interface WeightedBranch {
  readonly branch: string;
  readonly weight: number;
}

/** What each type of node is configured with (docs/automations.md). */
export interface NodeConfigs {
  readonly trigger: { readonly filter?: StoredTree | undefined };
  readonly send_email: StoredMessage | InlineMessage;
  readonly delay: DelayConfig;
  readonly wait_for_event: { readonly event: string; readonly filter?: Json | undefined; readonly timeout?: Span | undefined };
  readonly condition: { readonly conditions: StoredTree };
  readonly switch: { readonly field: string; readonly cases: readonly SwitchCase[] };
  readonly split: { readonly branches: readonly WeightedBranch[] };
  readonly update_contact: ContactUpdate;
  readonly add_to_segment: { readonly segmentId: string };
  readonly remove_from_segment: { readonly segmentId: string };
  readonly emit_event: { readonly name: string; readonly data?: Json | undefined };
  readonly webhook: WebhookCall;
  readonly exit: { readonly reason?: string | undefined };
}

export type NodeType = keyof NodeConfigs;

export interface NodeOf<T extends NodeType> {
  readonly id: string;
  readonly type: T;
  readonly name?: string | undefined;
  readonly config: NodeConfigs[T];
  readonly position?: unknown;
}

export type GraphNode = { readonly [T in NodeType]: NodeOf<T> }[NodeType];

export interface Edge {
  readonly id?: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly branch?: string | undefined;
}

/** What is stored and shown. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly Edge[];
}

/** Where a `switch` goes when no case matches. */
export const DEFAULT_BRANCH = 'default';

/** Returns the names of a node's outcomes; empty for a node that has one outcome without a name, and for `exit`, which has none. */
export function branchesOf(node: GraphNode): readonly string[] {
  switch (node.type) {
    case 'wait_for_event':
      return ['event', 'timeout'];
    case 'condition':
      return ['yes', 'no'];
    case 'switch':
      return [...node.config.cases.map(({ branch }) => branch), DEFAULT_BRANCH];
    case 'split':
      return node.config.branches.map(({ branch }) => branch);
    case 'webhook':
      return ['success', 'failure'];
    default:
      return [];
  }
}

/** Returns where the edge of this outcome leads; null where there is no edge. */
export function nextNode(graph: { readonly edges: readonly Edge[] }, nodeId: string, branch: string | null): string | null {
  return graph.edges.find((edge) => edge.from === nodeId && (edge.branch ?? null) === branch)?.to ?? null;
}

/** Returns the condition that a case of a `switch` stands for. */
export const caseTree = (field: string, { operator, value }: SwitchCase): StoredTree => ({
  logic: 'and',
  groups: [{ filters: [{ field, operator, ...(value !== undefined && { value }) }] }],
});

/** Lists every node with its place in the graph, as faults name it. */
export const placesOf = (graph: Graph, basePath: string): readonly (readonly [GraphNode, string])[] =>
  graph.nodes.map((node, index) => [node, `${basePath}.nodes.${index}`] as const);
