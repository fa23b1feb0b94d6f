import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { LeftNode } from '../src/contracts/automation';
import { LISTED_IDS } from '../src/contracts/scheduled-send';
import { mailIds } from './search-attributes';

/** Nodes that the details and the result list. */
const LISTED = 50;
/** Temporal takes summaries of 400 bytes, as JSON. */
const SUMMARY_BYTES = 380;

/** The nodes that an execution has left, as far as its workflow knows, and the texts about them for people. */
export class Way {
  private readonly left: LeftNode[] = [];
  /** Number of nodes that are in summaries of the history. */
  private said = 0;
  private emailIds: readonly string[] = [];
  private isNamed = true;

  get known(): number {
    return this.left.length;
  }

  add(more: readonly LeftNode[] = []): void {
    this.left.push(...more);
    const sent = more.flatMap(({ emailId }) => emailId ?? []);
    if (sent.length === 0) return;
    this.emailIds = [...this.emailIds, ...sent].slice(-LISTED_IDS);
    this.isNamed = false;
  }

  /** Returns the search attribute that names the newest messages, unless it does. */
  mail(): readonly SearchAttributeUpdatePair[] {
    if (this.isNamed) return [];
    this.isNamed = true;
    return [mailIds(this.emailIds)];
  }

  /** Returns the summary of what follows: it also names the nodes that no summary has named, the newest at least. */
  summary(text: string): string {
    const unsaid = this.left.slice(this.said).map(nameOf);
    this.said = this.left.length;
    for (let from = 0; from < unsaid.length; from++) {
      const whole = `${text} (after ${from === 0 ? '' : '…, '}${unsaid.slice(from).join(', ')})`;
      if (bytesOf(whole) <= SUMMARY_BYTES) return whole;
    }
    return text;
  }

  /** Lists the last nodes, in Markdown, with their numbers. */
  details(): string {
    const from = Math.max(0, this.left.length - LISTED);
    return this.left
      .slice(from)
      .map(lineOf(from + 1))
      .join('\n');
  }

  names(): readonly string[] {
    return this.left.slice(-LISTED).map(nameOf);
  }
}

const bytesOf = (text: string): number => new TextEncoder().encode(JSON.stringify(text)).length;

const nameOf = ({ nodeId, type, branch, status }: LeftNode): string =>
  `${nodeId}: ${type}${branch === undefined ? '' : ` → ${branch}`}${status === undefined ? '' : ` (${status})`}`;

const lineOf =
  (first: number) =>
  (node: LeftNode, index: number): string =>
    `${first + index}. \`${nameOf(node).replaceAll('`', "'")}\` at ${new Date(node.at).toISOString()}${node.emailId === undefined ? '' : `, ${node.emailId}`}`;
