import { conditionsIn, factsNeeded } from './inventory';
import { parseFilter } from './parse-filter';
import { utf8Length } from './text';
import type { Condition, ConditionFault, Group, Tree } from './types';

const MAX_DEPTH = 5;
const MAX_GROUPS = 20;
const MAX_FILTERS_IN_GROUP = 50;
/** Bounds on the whole, which keep the query that a tree becomes within what a database takes and a project may cost. */
const MAX_FILTERS = 1_000;
const MAX_OCCURRENCES = 100;
const MAX_BYTES = 1_048_576;

interface Options {
  /** Path of the tree in the body: the prefix of the path of each fault. */
  readonly basePath?: string;
  /** `trigger.<path>` and `nodeId` exist in automations only. */
  readonly allow?: { readonly trigger: boolean };
}

/**
 * Returns the meaning of a condition tree, or all of its faults (docs/conditions.md), each with its path. Faults of its shape are reported
 * by the API's schema: parts of another shape are skipped, so that the faults of the others are reported with them.
 */
export function parseConditions(
  raw: unknown,
  { basePath = 'conditions', allow = { trigger: false } }: Options = {},
): { readonly ok: Tree } | { readonly faults: readonly ConditionFault[] } {
  const parser = new Parser(allow.trigger);
  const tree = parser.tree(raw, basePath, 1);
  parser.weigh(tree, basePath);
  return parser.faults.length > 0 || parser.passedOver ? { faults: parser.faults } : { ok: tree };
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const isLogic = (value: unknown): value is Tree['logic'] => value === 'and' || value === 'or';

class Parser {
  readonly faults: ConditionFault[] = [];
  /** Something was not of the shape that the schema demands. */
  passedOver = false;

  constructor(private readonly allowTrigger: boolean) {}

  tree(raw: unknown, at: string, depth: number): Tree {
    const { logic, groups } = this.object(raw);
    if (!isLogic(logic)) this.passedOver = true;
    const tree = { logic: isLogic(logic) ? logic : 'and', groups: [] } as const;
    if (depth > MAX_DEPTH) {
      this.note(at, `Trees can be nested at most ${MAX_DEPTH} levels deep`);
      return tree;
    }
    const parts = this.list(groups);
    if (parts && (parts.length === 0 || parts.length > MAX_GROUPS)) {
      this.note(`${at}.groups`, `Must be 1 to ${MAX_GROUPS} groups`);
      return tree;
    }
    return { ...tree, groups: (parts ?? []).map((group, index) => this.group(group, `${at}.groups.${index}`, depth)) };
  }

  /** Adds faults of conditions that ask too much together, each of them right for itself. */
  weigh(tree: Tree, at: string): void {
    const conditions = conditionsIn(tree);
    const { events, emails } = factsNeeded(tree);
    if (conditions.length > MAX_FILTERS) this.note(at, `At most ${MAX_FILTERS} filters in all`);
    if (events.length + emails.length > MAX_OCCURRENCES)
      this.note(at, `At most ${MAX_OCCURRENCES} different events, e-mails and counts in all`);
    if (conditions.reduce((sum, condition) => sum + bytesOf(condition), 0) > MAX_BYTES) {
      this.note(at, `At most ${MAX_BYTES} bytes of text in all`);
    }
  }

  private group(raw: unknown, at: string, depth: number): Group {
    const { filters, conditions } = this.object(raw);
    return {
      filters: this.filters(filters, conditions !== undefined, `${at}.filters`),
      nested: conditions === undefined ? null : this.tree(conditions, `${at}.conditions`, depth + 1),
    };
  }

  private filters(raw: unknown, besideTree: boolean, at: string): readonly Condition[] {
    const filters = this.list(raw) ?? [];
    if (Array.isArray(raw) && filters.length === 0 && !besideTree) this.note(at, 'A group needs a filter or a nested tree');
    if (filters.length <= MAX_FILTERS_IN_GROUP) return filters.flatMap((filter, index) => this.filter(filter, `${at}.${index}`));
    this.note(at, `At most ${MAX_FILTERS_IN_GROUP} filters`);
    return [];
  }

  private filter(raw: unknown, at: string): readonly Condition[] {
    if (!isObject(raw)) {
      this.passedOver = true;
      return [];
    }
    const { field, operator, ...rest } = raw;
    const parsed = parseFilter({ ...rest, field: this.text(field), operator: this.text(operator) }, at, this.allowTrigger);
    if ('ok' in parsed) return [parsed.ok];
    this.faults.push(...parsed.faults);
    return [];
  }

  private object(raw: unknown): Json {
    if (isObject(raw)) return raw;
    this.passedOver = true;
    return {};
  }

  private list(raw: unknown): readonly unknown[] | null {
    if (Array.isArray(raw)) return raw as unknown[];
    this.passedOver = true;
    return null;
  }

  // A value of another type names nothing; the schema reports its type at the same path.
  private text(raw: unknown): string {
    if (typeof raw === 'string') return raw;
    this.passedOver = true;
    return '';
  }

  private note(path: string, message: string): void {
    this.faults.push({ path, code: 'invalid_condition', message });
  }
}

function bytesOf(condition: Condition): number {
  if (condition.on !== 'value') return 0;
  const { test } = condition;
  if (test.is === 'text') return utf8Length(test.text);
  return test.is === 'equal' ? test.values.reduce<number>((sum, value) => sum + utf8Length(String(value)), 0) : 0;
}
