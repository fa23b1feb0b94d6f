import { api } from '../../parts/api.ts';
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

/** Resolves to the rows of each kind that the API finds, newest first: contacts by name and address, everything else by name. */
export async function searchedFor(text: string): Promise<readonly Hit[]> {
  const query = { search: text, limit: MOST_SHOWN };
  const [contacts, templates, campaigns, automations, segments] = await Promise.all([
    api.listContacts(query).page(),
    api.listTemplates(query).page(),
    api.listCampaigns(query).page(),
    api.listWorkflows(query).page(),
    api.listSegments(query).page(),
  ]);
  return [
    ...contacts.rows.map(({ contactId, email }) => ({ to: `/contacts/${contactId}`, title: email, kind: 'Contact' })),
    ...templates.rows.map(({ templateId, name }) => ({ to: `/templates/${templateId}`, title: name, kind: 'Template' })),
    ...campaigns.rows.map(({ campaignId, name }) => ({ to: `/campaigns/${campaignId}`, title: name, kind: 'Campaign' })),
    ...automations.rows.map(({ workflowId, name }) => ({ to: `/automations/${workflowId}`, title: name, kind: 'Automation' })),
    ...segments.rows.map(({ segmentId, name }) => ({ to: `/segments/${segmentId}`, title: name, kind: 'Segment' })),
  ];
}
