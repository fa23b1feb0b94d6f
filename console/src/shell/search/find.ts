import { api } from '../../parts/api.ts';
import { SCREENS } from '../../screens/index.ts';
import { given } from '../../parts/filters.ts';

/** Something that the search leads to. */
export interface Hit {
  readonly to: string;
  readonly title: string;
  /** The kind of result, as the console calls it. */
  readonly kind: string;
}

/** Rows of each kind that are shown. */
const MOST_SHOWN = 5;
/** Names of each kind that are searched, newest first: their lists have no search of their own. */
const NAMES_SEARCHED = 200;

const holds = (title: string, text: string): boolean => title.toLowerCase().includes(text.toLowerCase());

/** Returns the screens whose name holds the text. */
export const screensFor = (text: string, may: (screen: (typeof SCREENS)[number]) => boolean): readonly Hit[] =>
  SCREENS.flatMap((screen) =>
    screen.label !== undefined && holds(screen.label, text) && may(screen) ? [{ to: screen.path, title: screen.label, kind: 'Page' }] : [],
  );

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

type Named = readonly { readonly name: string; readonly to: string }[];

/** The lists whose names are searched here, and how each is read. */
export const NAMED = [
  {
    kind: 'Campaign',
    read: async (): Promise<Named> =>
      (await api.listCampaigns().toArray(NAMES_SEARCHED)).map(({ campaignId, name }) => ({ name, to: `/campaigns/${campaignId}` })),
  },
  {
    kind: 'Automation',
    read: async (): Promise<Named> =>
      (await api.listWorkflows().toArray(NAMES_SEARCHED)).map(({ workflowId, name }) => ({ name, to: `/automations/${workflowId}` })),
  },
  {
    kind: 'Segment',
    read: async (): Promise<Named> =>
      (await api.listSegments().toArray(NAMES_SEARCHED)).map(({ segmentId, name }) => ({ name, to: `/segments/${segmentId}` })),
  },
] as const;

/** Returns the rows of one kind whose name holds the text. */
export const namedFor = (text: string, kind: string, rows: Named): readonly Hit[] =>
  rows
    .filter(({ name }) => holds(name, text))
    .slice(0, MOST_SHOWN)
    .map(({ name, to }) => ({ to, title: name, kind }));

/** Resolves to contacts and templates that the API finds. */
export async function searchedFor(text: string): Promise<readonly Hit[]> {
  const query = given({ search: text, limit: MOST_SHOWN });
  const [contacts, templates] = await Promise.all([api.listContacts(query).page(), api.listTemplates(query).page()]);
  return [
    ...contacts.rows.map(({ contactId, email }) => ({ to: `/contacts/${contactId}`, title: email, kind: 'Contact' })),
    ...templates.rows.map(({ templateId, name }) => ({ to: `/templates/${templateId}`, title: name, kind: 'Template' })),
  ];
}
