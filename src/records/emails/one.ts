import { EmailModel } from './model';
import type { Email } from './model';
import { toEmail } from './row';
import type { EmailRow } from './row';
import type { RowEvents } from './history';

/** A message with the answer of the server that took it, where its row has that. */
export type AnsweredEmail = Email & Pick<RowEvents, 'response'>;

/** Finds a message of a project, with all that its row says; null where there is none. */
export async function findEmail(projectId: string, id: string): Promise<AnsweredEmail | null> {
  const row = await EmailModel.findOne({ _id: id, projectId }).lean<EmailRow & Pick<RowEvents, 'response'>>();
  return row && { ...toEmail(row), ...(row.response !== undefined && { response: row.response }) };
}
