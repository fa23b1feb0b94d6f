import type { ClientSession } from 'mongoose';
import { EmailModel } from './model';
import type { Email } from './model';

/** What those who hold a link of a message may set in motion goes by these. */
export type EmailFacts = Pick<
  Email,
  '_id' | 'projectId' | 'to' | 'contactId' | 'source' | 'testMode' | 'status' | 'openedAt' | 'clickedAt'
>;

const FACTS = { projectId: 1, to: 1, contactId: 1, source: 1, testMode: 1, status: 1, openedAt: 1, clickedAt: 1 } as const;

/** Hits by people that are recorded together. */
export interface Engagement {
  readonly opens: number;
  readonly clicks: number;
  readonly at: Date;
}

const emails = () => EmailModel.collection;

const is = (statuses: readonly string[], member: string): Record<string, unknown> => ({
  $and: [{ $in: ['$status', statuses] }, { $ne: [{ $ifNull: [`$${member}`, null] }, null] }],
});

/** Forward only, and never out of a final status. What is not recorded as sent stays as it is: delivery has the word there. */
const RAISE_STATUS = {
  $set: {
    status: {
      $switch: {
        branches: [
          { case: is(['sent', 'delivered', 'opened'], 'clickedAt'), then: 'clicked' },
          { case: is(['sent', 'delivered'], 'openedAt'), then: 'opened' },
        ],
        default: '$status',
      },
    },
  },
};

/**
 * Counts what people did with a message and moves its status forward; a click implies an open.
 * Resolves to the message as it was before, or null when there is none. Two transactions never count the same message at once.
 */
export function engage(session: ClientSession, emailId: string, { opens, clicks, at }: Engagement): Promise<EmailFacts | null> {
  const count = {
    $set: {
      opens: { $max: [{ $add: ['$opens', opens] }, 1] },
      clicks: { $add: ['$clicks', clicks] },
      openedAt: { $ifNull: ['$openedAt', at] },
      ...(clicks > 0 && { clickedAt: { $ifNull: ['$clickedAt', at] } }),
    },
  };
  return emails().findOneAndUpdate({ _id: emailId as never }, [count, RAISE_STATUS], {
    session,
    returnDocument: 'before',
    projection: FACTS,
  }) as Promise<EmailFacts | null>;
}

/** Whether delivery has yet to record what became of the message; until then its status does not follow opens and clicks. */
export const isUnsettled = ({ status }: Pick<Email, 'status'>): boolean => status === 'queued' || status === 'sending';

/** Lets the status of a message follow the opens and clicks that came before its delivery was recorded. Resolves to false while it is not. */
export async function catchUpStatus(emailId: string): Promise<boolean> {
  const email = await emails().findOneAndUpdate({ _id: emailId as never }, [RAISE_STATUS], {
    returnDocument: 'after',
    projection: { status: 1 },
  });
  return email === null || !isUnsettled(email as unknown as EmailFacts);
}

/** What is known of a message, without its content. */
export const findFacts = (emailId: string, session?: ClientSession): Promise<EmailFacts | null> =>
  emails().findOne({ _id: emailId as never }, { ...(session && { session }), projection: FACTS }) as Promise<EmailFacts | null>;

/** A whole message, for whoever holds its signed link. */
export const findWhole = (emailId: string): Promise<Email | null> =>
  emails().findOne({ _id: emailId as never }) as unknown as Promise<Email | null>;
