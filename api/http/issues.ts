import type { z } from 'zod';
import type { DetailCode, ErrorDetail } from '../../src/platform/core';
import { kindText, valueText } from './issue-texts';
import { isMeant, whatWasMeant } from './known-elsewhere';
import { branchesAt, keysAt, listIn, valuesAt } from './known-keys';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** No answer lists more faults than this, however many a body holds. */
export const MAX_DETAILS = 1_000;
const MAX_SEGMENT = 128;
/** Number of an object's members that are examined to find out what it was meant to be. */
const MOST_KEYS = 20;

const CODES: Readonly<Record<string, DetailCode>> = {
  invalid_type: 'invalid_type',
  invalid_format: 'invalid_string',
  invalid_key: 'invalid_string',
  too_small: 'too_small',
  too_big: 'too_big',
  not_multiple_of: 'invalid_type',
};

/** Returns a dotted path. Keys are the caller's own text: long ones are cut. */
export const dotted = (path: Path): string => path.map((segment) => String(segment).slice(0, MAX_SEGMENT)).join('.');

const at = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    input,
  );

// A value outside a list is of the wrong type before it is the wrong value.
const offList = (values: readonly unknown[], given: unknown): DetailCode =>
  values.some((value) => typeof value === typeof given) ? 'invalid_enum_value' : 'invalid_type';

const saysWrongKind = (issue: Issue): boolean =>
  issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');

const faultsIn = (issues: readonly Issue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);

class Details {
  readonly list: ErrorDetail[] = [];

  constructor(
    private readonly input: unknown,
    private readonly schema: z.ZodType | null,
  ) {}

  addAll(issues: readonly Issue[], base: Path): void {
    for (const issue of issues) {
      if (this.list.length >= MAX_DETAILS) return;
      this.add(issue, [...base, ...issue.path]);
    }
  }

  private add(issue: Issue, path: Path): void {
    if (issue.code === 'unrecognized_keys') {
      const known = this.schema ? keysAt(this.schema, path, this.input) : [];
      for (const key of issue.keys.slice(0, MAX_DETAILS))
        this.push([...path, key], 'unrecognized_keys', `Unknown key${whatWasMeant(key, known)}`);
    } else if (issue.code === 'invalid_union') {
      this.addUnion(issue, path);
    } else if (issue.code === 'invalid_value') {
      this.push(path, offList(issue.values, at(this.input, path)), issue.message);
    } else if (issue.code === 'custom') {
      this.push(path, (issue.params?.code as DetailCode | undefined) ?? 'invalid_string', issue.message);
    } else {
      this.push(path, CODES[issue.code] ?? 'invalid_type', `${issue.message}${this.asMember(issue, path)}`);
    }
  }

  // A body that is a list of what it should hold in its one list.
  private asMember(issue: Issue, path: Path): string {
    if (path.length > 0 || issue.code !== 'invalid_type' || !Array.isArray(this.input) || !this.schema) return '';
    const member = listIn(this.schema);
    return member === null ? '' : `: write {"${member}": […]}`;
  }

  // The branch that was meant is the one whose kind fits, and of those the one that has most of the keys given; of several the one with
  // the fewest faults.
  private addUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path): void {
    if (issue.errors.length === 0) {
      const [values, given] = [this.schema ? valuesAt(this.schema, path) : [], at(this.input, path)];
      this.push(path, offList([''], given), valueText(values, given));
      return;
    }
    const branches = this.schema ? branchesAt(this.schema, path, this.input) : [];
    const given = Object.keys(Object(at(this.input, path)) as object).slice(0, MOST_KEYS);
    const meantIn = (index: number): number => given.filter((key) => isMeant(key, branches[index] ?? [])).length;
    const fitting = issue.errors
      .map((faults, index) => ({ faults, meant: meantIn(index) }))
      .filter(({ faults }) => !faults.some(saysWrongKind))
      .sort((a, b) => b.meant - a.meant || faultsIn(a.faults) - faultsIn(b.faults));
    const [meant] = fitting;
    if (meant) this.addAll(meant.faults, path);
    else this.addWrongKind(issue, path);
  }

  private addWrongKind(issue: z.core.$ZodIssueInvalidUnion, path: Path): void {
    const [branches, given] = [issue.errors.flat(), at(this.input, path)];
    const values = branches.flatMap((branch) => (branch.code === 'invalid_value' ? branch.values : []));
    const kinds = branches.flatMap((branch) => (branch.code === 'invalid_type' ? branch.expected : []));
    // A text that may be empty is a string.
    const listed = values.filter((value) => value !== '' || kinds.length === 0);
    const taken = [...kinds, ...listed.map((value) => JSON.stringify(value))];
    this.push(path, offList(listed, given), kindText(taken, given));
  }

  private push(path: Path, code: DetailCode, message: string): void {
    if (this.list.length < MAX_DETAILS) this.list.push({ path: dotted(path), message, code });
  }
}

/** Turns zod's issues into the details of docs/errors.md, one per fault, at most `MAX_DETAILS`. `input` is what was parsed, by `schema`. */
export function detailsOf(error: z.ZodError, input: unknown, schema: z.ZodType | null = null): ErrorDetail[] {
  const details = new Details(input, schema);
  details.addAll(error.issues, []);
  return details.list;
}
