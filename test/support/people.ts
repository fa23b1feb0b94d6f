import { ContactModel } from '../../src/audience/contacts/model';
import type { Contact } from '../../src/audience/contacts/model';
import { contactIdFor } from '../../src/audience/contacts/service';
import { getProject } from '../../src/records/projects/service';

const AT_ONCE = 5_000;

/** Puts subscribed contacts into a project as they are stored, without what making them through the API does: for audiences of thousands. */
export async function insertPeople(
  projectId: string,
  count: number,
  more: (index: number) => Partial<Contact> = () => ({}),
): Promise<void> {
  const project = await getProject(projectId);
  const now = new Date();
  for (let from = 0; from < count; from += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, offset): Contact => {
      const email = `user-${from + offset}@example.com`;
      const unsaid = { firstName: null, lastName: null, data: null, locale: null, optedOutAt: null };
      const times = { createdAt: now, updatedAt: now };
      return { _id: contactIdFor(project, email), projectId, email, subscribed: true, ...times, ...unsaid, ...more(from + offset) };
    });
    await ContactModel.collection.insertMany(rows as never, { ordered: false });
  }
}
