import { ContactModel } from '../../../src/audience/contacts/model';
import type { Contact } from '../../../src/audience/contacts/model';
import { contactIdFor } from '../../../src/audience/contacts/service';
import { getProject } from '../../../src/records/projects/service';
import type { Project } from '../../../src/records/projects/service';
import type { Email } from '../../../src/records/emails/model';
import { storeEmail } from './email-rows';

const AT_ONCE = 5_000;

let people = 0;

/** An address that no other test has. */
export const freshAddress = (): string => `person${++people}@example.com`;

/** The id that a contact of a project has by its address. */
export const contactIdOf = async (projectId: string, email: string): Promise<string> => contactIdFor(await getProject(projectId), email);

/** A subscribed contact as it is stored, with changes. */
const contactRow = (project: Project, email: string, change: Partial<Contact> = {}): Contact => ({
  _id: contactIdFor(project, email),
  projectId: project._id,
  email,
  subscribed: true,
  firstName: null,
  lastName: null,
  data: null,
  locale: null,
  timezone: null,
  optedOutAt: null,
  createdAt: new Date(),
  updatedAt: new Date(),
  ...change,
});

/** Puts contacts into a project as they are stored: an address, and the changes of each. */
export async function storeContacts(
  projectId: string,
  contacts: readonly (readonly [email: string, change?: Partial<Contact>])[],
): Promise<string[]> {
  const project = await getProject(projectId);
  const rows = contacts.map(([email, change]) => contactRow(project, email, change));
  await ContactModel.collection.insertMany(rows, { ordered: false });
  return rows.map(({ _id }) => _id);
}

/** Puts a number of subscribed contacts into a project as they are stored, whose addresses no other test has. Resolves to their ids. */
export const storePeople = (projectId: string, count: number): Promise<string[]> =>
  count === 0
    ? Promise.resolve([])
    : storeContacts(
        projectId,
        Array.from({ length: count }, () => [freshAddress()] as const),
      );

/** Puts subscribed contacts into a project as they are stored, without what making them through the API does: for audiences of thousands. */
export async function insertPeople(
  projectId: string,
  count: number,
  more: (index: number) => Partial<Contact> = () => ({}),
): Promise<void> {
  const now = { createdAt: new Date(), updatedAt: new Date() };
  for (let from = 0; from < count; from += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, offset) => from + offset);
    await storeContacts(
      projectId,
      indexes.map((index) => [`user-${index}@example.com`, { ...now, ...more(index) }]),
    );
  }
}

/** The recipient of a marketing message. */
export interface Reader {
  readonly email: Email;
  readonly contactId: string;
}

/** Stores a message that arrived, with changes, and its recipient as a contact, unless that is null. */
export async function aReader(projectId: string, change: Partial<Email> = {}, contact: Partial<Contact> | null = {}): Promise<Reader> {
  const { to = freshAddress() } = change;
  const contactId = await contactIdOf(projectId, to);
  if (contact) await storeContacts(projectId, [[to, contact]]);
  return { email: await storeEmail(projectId, { status: 'delivered', type: 'marketing', to, ...change }), contactId };
}
