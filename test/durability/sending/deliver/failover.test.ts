import { SHORT, run } from '../../../chaos/cluster';

jest.setTimeout(240_000);

// A short form of `npm run chaos -- cluster`: it throws when anything is lost, repeated, or counted wrongly.
test('API processes, SMTP and workers lose and repeat nothing while the primary steps down and is killed', async () => {
  const figures = await run(1, { ...SHORT, failures: ['step-down', 'primary killed'] });
  expect(Object.fromEntries(figures)).toMatchObject({ 'lost of these': '0, 0, 0, 0', repeated: '0 (bound 0)' });
});
