import { contactIdFor } from '../../../src/audience/contacts/service';
import type { ErasureProgress } from '../../../src/contracts/removals';
import { EmailModel } from '../../../src/records/emails/model';
import type { Email } from '../../../src/records/emails/model';
import { continueErasure } from '../../../src/upkeep/erasure/continue';
import { erasedAddress } from '../../../src/platform/addresses';
import { getProject } from '../../../src/records/projects/service';
import type { TestApp } from '../platform/app';

let people = 0;

/** Fields of a message that was sent. */
export const SENT = { status: 'sent', sentAt: new Date() } as const;

/** Calls that tests of erasure make, as the first project. */
export function erasureCalls(app: () => TestApp) {
  const api = (key?: string) => app().api(key);
  const turn = (erasureId: string, afterMs = 0): Promise<ErasureProgress> =>
    continueErasure(
      app().core,
      { erasureId, projectId: app().keys.projectId },
      new Date(Date.now() + afterMs),
      new AbortController().signal,
    );
  const erasureOf = async (email: string) =>
    (await api().get(`/v1/contacts/${email}/erasure`).expect(200)).body.data as { erasureId: string };
  return {
    turn,
    erasureOf,
    fresh: (): string => `dora${++people}.stein@example.com`,
    remove: (email: string) => api().delete(`/v1/contacts/${email}`).expect(200),
    /** Resolves to the address that replaces an erased one. */
    hashed: async (email: string): Promise<string> => erasedAddress(contactIdFor(await getProject(app().keys.projectId), email)),
    rowOf: async (id: string) => (await EmailModel.findById(id).lean()) as unknown as Email,
    /** Does what the workflow would do, a minute after the deletion. */
    async erase(email: string): Promise<ErasureProgress> {
      const { erasureId } = await erasureOf(email);
      await turn(erasureId);
      return turn(erasureId, 60_000);
    },
  };
}
