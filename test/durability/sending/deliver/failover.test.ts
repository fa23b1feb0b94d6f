import { run } from '../../../chaos/cluster';

jest.setTimeout(240_000);

// A short form of `npm run chaos -- cluster`: it throws when anything is lost, repeated, or counted wrongly.
test('two API processes and two workers lose and repeat nothing while the primary steps down and is killed', async () => {
  const figures = await run(1, { recipients: 1_000, electionMs: 2_000, faults: ['step-down', 'primary killed'] });
  expect(Object.fromEntries(figures)).toMatchObject({ 'lost: recipients, single messages': '0, 0', repeated: '0 (bound 0)' });
});
