import type { TestApp } from '../../../support/platform/app';
import type { WireContact } from '../../audience/contacts/calls';

interface WireInbound {
  readonly emailId: string;
  readonly contactId: string | null;
  readonly to: string;
  readonly subject: string;
  readonly fromEmail: string;
  readonly fromName: string | null;
  readonly status: string;
  readonly createdAt: string;
}

let count = 0;

/** Calls that most tests of inbound mail make, as the first project. */
export const inboundCalls = (app: () => TestApp) => {
  const api = (key?: string | null) => app().api(key);
  return {
    api,
    freshSender: (): string => `sender${++count}@example.com`,
    async receive(message: object, key?: string): Promise<string> {
      const { body } = await api(key).post('/v1/inbound').send(message).expect(201);
      return body.data.emailId as string;
    },
    async emailOf(emailId: string): Promise<Readonly<Record<string, unknown>>> {
      return (await api().get(`/v1/emails/${emailId}`).expect(200)).body.data;
    },
    async listed(query: object, key?: string): Promise<{ readonly data: readonly WireInbound[]; readonly nextCursor: string | null }> {
      return (await api(key).get('/v1/inbound').query(query).expect(200)).body;
    },
    async contactOf(email: string): Promise<WireContact> {
      const { body } = await api().get(`/v1/contacts/${email}`).expect(200);
      return body.data as WireContact;
    },
  };
};
