/** The request of an operation in its example. */
export interface Given {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** The file of an upload. */
  readonly file?: string;
}

export type StoryStep = readonly [operationId: string, given: Given];

/** Returns an id as it is shown in examples: the n-th of its kind in the story. */
export const sampleId = (prefix: string, n = 1): string => `${prefix}_01kajw3v8n5t2r7y9m4q6s0x${String(n).padStart(2, '0')}`;

/** Verified on every machine where `npm start` runs, so that what is tried in the reference there works. */
export const DOMAIN = 'hello.test';

export const CONTACT = sampleId('ctc');
export const [STATIC, DYNAMIC] = [sampleId('seg', 1), sampleId('seg', 2)];
export const [SENT, CAMPAIGN, AGAIN] = [sampleId('cmp', 1), sampleId('cmp', 2), sampleId('cmp', 4)];
/** A recurring campaign with a feed. */
export const SERIES = sampleId('cmp', 99);
export const [SCHEDULED, EMAIL] = [sampleId('em', 1), sampleId('em', 3)];
/** A message that came in with an attachment, over SMTP. */
export const RECEIVED = sampleId('em', 99);
export const FILE = sampleId('fil');
export const SAVED_BLOCK = sampleId('blk');
export const PERSON = sampleId('prs');
export const FORM = sampleId('frm');
export const APPROVAL = sampleId('apr');
export const [TEMPLATE, COPY] = [sampleId('tpl', 1), sampleId('tpl', 2)];
export const [WORKFLOW, SECOND] = [sampleId('wfl', 1), sampleId('wfl', 2)];

/** Replaced by an instant a day after the story is played. */
export const TOMORROW = '2026-11-24T09:30:00.000Z';

export const by = (id: string, given: Given = {}): Given => ({ path: { id }, ...given });

export const ON_PLAN = { logic: 'and', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] };
