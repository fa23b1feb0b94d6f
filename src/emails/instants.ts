import { EmailModel } from './model';

/** Whether the ledger holds when an e-mail got a status. One that is not there any more gets none. */
export async function isRecorded(
  projectId: string,
  emailId: string,
  status: 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained',
): Promise<boolean> {
  const at = `${status}At`;
  const email = await EmailModel.collection.findOne({ _id: emailId as never, projectId }, { projection: { [at]: 1 } });
  return email === null || email[at] instanceof Date;
}
