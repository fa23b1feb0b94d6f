import type { ApprovalOutlook } from '../../../src/contracts/approval';
import { checkApproval } from '../../../src/marketing/approvals/check-approval';
import type { Api, TestApp } from '../platform/app';

export interface WireApproval {
  readonly approvalId: string;
  readonly state: string;
  readonly summary: { readonly text: string; readonly subject: string | null; readonly recipients: number | null };
  readonly result: { readonly code: string | null; readonly message: string } | null;
  readonly [member: string]: unknown;
}

/** Calls that tests of approvals make, as the first project. */
export function approvalCalls(app: () => TestApp) {
  const api = (key?: string): Api => app().api(key);
  return {
    ask: (body: object, key?: string) => api(key).post('/v1/approvals').send(body),
    /** Requests the launch of a campaign. */
    async requested(id: string, more: object = {}, key?: string): Promise<WireApproval> {
      const { body } = await api(key)
        .post('/v1/approvals')
        .send({ operation: 'sendCampaign', parameters: { id, ...more } })
        .expect(201);
      return body.data as WireApproval;
    },
    get: async (id: string): Promise<WireApproval> => (await api().get(`/v1/approvals/${id}`).expect(200)).body.data as WireApproval,
    decide: (id: string, verdict: 'approve' | 'reject', key: string, body: object = {}) =>
      api(key).post(`/v1/approvals/${id}/${verdict}`).send(body),
    /** Does what the workflow would do, so much later. */
    turn: (approvalId: string, afterMs = 0): Promise<ApprovalOutlook> => {
      const { core, keys } = app();
      return checkApproval(core, { approvalId, projectId: keys.projectId, now: Date.now() + afterMs });
    },
    /** Another key of the project. */
    async keyOf(body: object = {}): Promise<string> {
      const { body: answer } = await api()
        .post('/v1/keys')
        .send({ kind: 'secret', ...body })
        .expect(201);
      return answer.data.key as string;
    },
  };
}
