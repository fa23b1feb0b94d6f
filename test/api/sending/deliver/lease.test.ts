import { Lease, livingWorkers } from '../../../../src/sending/deliver/lease';
import { aProject } from '../../../support/platform/app';

const app = aProject();
let leases: Lease[] = [];

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(leases.map((lease) => lease.end()));
  leases = [];
});

function lease(leaseMs: number): Lease {
  const made = new Lease(app.core, () => [], { renewMs: 3_600_000, leaseMs, stopMs: 20_000, contactMs: 12_000 });
  leases.push(made);
  return made;
}

test.each([-3_600_000, 3_600_000])('a lease lasts as long when the clock of its process is %i ms off', async (off) => {
  const [living, over] = [lease(30_000), lease(-1)];
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now + off);
  await living.start();
  await over.start();
  jest.restoreAllMocks();
  expect([...(await livingWorkers([living.workerId, over.workerId, 'wrk_unknown']))]).toEqual([living.workerId]);
  await living.end();
  expect((await livingWorkers([living.workerId])).size).toBe(0);
});
