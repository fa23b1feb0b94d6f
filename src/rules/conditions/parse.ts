import { conditionsIn, factsNeeded } from './inventory';
import { parseFilter } from './parse-filter';
import type { RawFilter } from './parse-values';
import type { Condition, ConditionFault, Group, Tree } from './types';

const MAX_DEPTH = 5;
const MAX_GROUPS = 20;
const MAX_FILTERS_IN_GROUP = 50;
/** Bounds on the whole, which keep the query that a tree becomes within what a database takes and a project may cost. */
const MAX_FILTERS = 1_000;
const MAX_OCCURRENCES = 100;
const MAX_CHARACTERS = 500_000;

interface RawGroup {
  readonly filters: readonly RawFilter[];
  readonly conditions?: RawTree | undefined;
}

/** A tree as it comes in. */
export interface RawTree {
  readonly logic: 'and' | 'or';
  readonly groups: readonly RawGroup[];
}

interface Options {
  /** Where the tree stands in the body: the beginning of the path of each fault. */
  readonly basePath?: string;
  /** `trigger.<path>` exists in automations only. */
  readonly allow?: { readonly trigger: boolean };
}

/**
 * What a condition tree means, or everything that is wrong with it (docs/conditions.md), each fault at its place.
 * `raw` has the shape that the API's schema checks; a tree that was stored may come back the same way.
 */
export function parseConditions(
  raw: unknown,
  { basePath = 'conditions', allow = { trigger: false } }: Options = {},
): { readonly ok: Tree } | { readonly faults: readonly ConditionFault[] } {
  const parser = new Parser(allow.trigger);
  const tree = parser.tree(raw as RawTree, basePath, 1);
  if (parser.faults.length === 0) parser.weigh(tree, basePath);
  return parser.faults.length > 0 ? { faults: parser.faults } : { ok: tree };
}

class Parser {
  readonly faults: ConditionFault[] = [];

  constructor(private readonly allowTrigger: boolean) {}

  tree({ logic, groups }: RawTree, at: string, depth: number): Tree {
    if (depth > MAX_DEPTH) {
      this.note(at, `Trees nest at most ${MAX_DEPTH} levels deep`);
      return { logic, groups: [] };
    }
    if (groups.length === 0 || groups.length > MAX_GROUPS) this.note(`${at}.groups`, `Must be 1 to ${MAX_GROUPS} groups`);
    return { logic, groups: groups.map((group, index) => this.group(group, `${at}.groups.${index}`, depth)) };
  }

  /** A tree whose parts are right each for itself and which asks too much in all. */
  weigh(tree: Tree, at: string): void {
    const conditions = conditionsIn(tree);
    const { events, emails } = factsNeeded(tree);
    if (conditions.length > MAX_FILTERS) this.note(at, `At most ${MAX_FILTERS} filters in all`);
    if (events.length + emails.length > MAX_OCCURRENCES)
      this.note(at, `At most ${MAX_OCCURRENCES} different events, e-mails and counts in all`);
    if (conditions.reduce((sum, condition) => sum + charactersOf(condition), 0) > MAX_CHARACTERS) {
      this.note(at, `At most ${MAX_CHARACTERS} characters of text in all`);
    }
  }

  private group({ filters, conditions }: RawGroup, at: string, depth: number): Group {
    if (filters.length > MAX_FILTERS_IN_GROUP) this.note(`${at}.filters`, `At most ${MAX_FILTERS_IN_GROUP} filters`);
    if (filters.length === 0 && !conditions) this.note(`${at}.filters`, 'A group needs a filter or a nested tree');
    return {
      filters: filters.flatMap((filter, index) => this.filter(filter, `${at}.filters.${index}`)),
      nested: conditions ? this.tree(conditions, `${at}.conditions`, depth + 1) : null,
    };
  }

  private filter(raw: RawFilter, at: string): readonly Condition[] {
    const parsed = parseFilter(raw, at, this.allowTrigger);
    if ('ok' in parsed) return [parsed.ok];
    this.faults.push(...parsed.faults);
    return [];
  }

  private note(path: string, message: string): void {
    this.faults.push({ path, code: 'invalid_condition', message });
  }
}

function charactersOf(condition: Condition): number {
  if (condition.on !== 'value') return 0;
  const { test } = condition;
  if (test.is === 'text') return test.text.length;
  return test.is === 'equal' ? test.values.reduce<number>((sum, value) => sum + String(value).length, 0) : 0;
}
