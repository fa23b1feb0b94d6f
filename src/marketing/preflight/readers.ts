import { findContacts } from '../../audience/contacts';
import type { ContactFields } from '../../message/template';
import type { Context } from '../../platform/core';
import { audiencePage } from '../campaigns';
import type { Campaign } from '../campaigns';

const MOST_READERS = 500;
/** Pages of contacts that are read for them; a filter may match few of each. */
const MOST_PAGES = 20;

/** Reads up to 500 contacts of an audience. Ids of contacts are hashes, so the first ones are a random sample. */
export async function sampleOf({ project, projectId }: Context, campaign: Campaign, now: Date): Promise<readonly ContactFields[]> {
  const ids: string[] = [];
  let after: string | null = '';
  for (let page = 0; page < MOST_PAGES && after !== null && ids.length < MOST_READERS; page++) {
    const { members, next }: Awaited<ReturnType<typeof audiencePage>> = await audiencePage(project, campaign, now, after);
    ids.push(...members.map(({ _id }) => _id));
    after = next;
  }
  const contacts = await findContacts(projectId, ids.slice(0, MOST_READERS));
  return [...contacts.values()].map(({ _id: contactId, email, firstName, lastName, locale, data }) => ({
    ...{ contactId, email, firstName, lastName, locale, data },
  }));
}
