import { api } from '../../parts/api.ts';
import type { Pages } from '../../parts/api.ts';
import { SCREENS } from '../../screens/index.ts';

/** Something that the search leads to. */
export interface Hit {
  readonly to: string;
  readonly title: string;
  /** The kind of result, as the console calls it. */
  readonly kind: string;
}

/** Rows of each kind that are shown. */
const MOST_SHOWN = 5;

/** Returns whether a title holds the text, in any case. */
export const holds = (title: string, text: string): boolean => title.toLowerCase().includes(text.toLowerCase());

/** Returns the screens whose name holds the text. */
export const screensFor = (text: string, may: (screen: (typeof SCREENS)[number]) => boolean): readonly Hit[] =>
  SCREENS.flatMap((screen) => {
    const { path, entry } = screen;
    return entry && holds(entry.label, text) && may(screen) ? [{ to: path, title: entry.label, kind: 'Page' }] : [];
  });

/** The path of each kind of id. */
const BY_ID: Readonly<Record<string, readonly [path: string, kind: string]>> = {
  em: ['/mail', 'Message'],
  ctc: ['/contacts', 'Contact'],
  cmp: ['/campaigns', 'Campaign'],
  wfl: ['/automations', 'Automation'],
  tpl: ['/templates', 'Template'],
  seg: ['/segments', 'Segment'],
  dom: ['/domains', 'Domain'],
  whk: ['/webhooks', 'Webhook'],
};

const ID = /^([a-z]{2,4})_[0-9a-z]{4,64}$/i;

/** Returns the page of an id, or the messages of an address; both without a request. */
export function directFor(text: string): readonly Hit[] {
  const [, prefix = ''] = ID.exec(text) ?? [];
  const page = BY_ID[prefix.toLowerCase()];
  if (page) return [{ to: `${page[0]}/${encodeURIComponent(text)}`, title: text, kind: page[1] }];
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)) return [];
  return [{ to: `/mail?to=${encodeURIComponent(text)}`, title: `Messages to ${text}`, kind: 'Mail log' }];
}

type Query = { readonly search: string; readonly limit: number };
type Options = { readonly signal: AbortSignal };

/** Shorter texts are part of too many subjects. */
const LEAST_OF_SUBJECT = 3;
/** No index finds part of a subject: the mail log searches on where this does not suffice. */
const SUBJECTS_MS = 3_000;

/** Resolves to the newest messages by subject. Where the search ended before it found one, the mail log continues it. */
async function messagesFor({ search, limit }: Query, { signal }: Options): Promise<readonly Hit[]> {
  if (search.length < LEAST_OF_SUBJECT) return [];
  const page = api.listEmails({ subject: search, limit }, { signal, timeoutMs: SUBJECTS_MS, maxRetries: 0 }).page();
  const { rows, nextCursor } = await page.catch((error: unknown) => {
    if (error instanceof Error && error.cause instanceof DOMException && error.cause.name === 'TimeoutError') return UNFINISHED;
    throw error;
  });
  if (rows.length === 0 && nextCursor !== null)
    return [{ to: `/mail?subject=${encodeURIComponent(search)}`, title: 'Continue in the mail log', kind: 'Mail log' }];
  return rows.map(({ emailId, subject }) => ({ to: `/mail/${emailId}`, title: subject, kind: 'Message' }));
}

const UNFINISHED = { rows: [], nextCursor: '' } as const;

async function hitsOf<T>(list: Pages<T>, kind: string, show: (row: T) => readonly [to: string, title: string]): Promise<readonly Hit[]> {
  const { rows } = await list.page();
  return rows.map((row) => {
    const [to, title] = show(row);
    return { to, title, kind };
  });
}

/** The lists that are searched, by what a failed search calls them. */
const LISTS: Readonly<Record<string, (query: Query, options: Options) => Promise<readonly Hit[]>>> = {
  contacts: (query, options) =>
    hitsOf(api.listContacts(query, options), 'Contact', ({ contactId, email }) => [`/contacts/${contactId}`, email]),
  templates: (query, options) =>
    hitsOf(api.listTemplates(query, options), 'Template', ({ templateId, name }) => [`/templates/${templateId}`, name]),
  campaigns: (query, options) =>
    hitsOf(api.listCampaigns(query, options), 'Campaign', ({ campaignId, name }) => [`/campaigns/${campaignId}`, name]),
  automations: (query, options) =>
    hitsOf(api.listWorkflows(query, options), 'Automation', ({ workflowId, name }) => [`/automations/${workflowId}`, name]),
  messages: messagesFor,
  segments: (query, options) =>
    hitsOf(api.listSegments(query, options), 'Segment', ({ segmentId, name }) => [`/segments/${segmentId}`, name]),
};

/** The outcome of a search of the lists. */
export interface Searched {
  readonly hits: readonly Hit[];
  /** The lists whose search failed, each with the reason. */
  readonly failed: readonly string[];
}

/** Resolves to the rows of each list that the API finds, newest first: contacts by name and address, messages by subject, everything else by name. A list that fails hides no other. */
export async function searchedFor(text: string, options: Options): Promise<Searched> {
  const names = Object.keys(LISTS);
  const answers = await Promise.allSettled(Object.values(LISTS).map((find) => find({ search: text, limit: MOST_SHOWN }, options)));
  return {
    hits: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    failed: answers.flatMap((answer, at) => (answer.status === 'rejected' ? [`${names[at]}: ${(answer.reason as Error).message}`] : [])),
  };
}
