import { compose } from '../../../src/composition/compose';
import { aProject, testCore } from '../../support/platform/app';
import { freshAddress } from '../../support/data/people';
import { listen } from '../../support/platform/fan-out';
import { eventually } from '../../support/platform/platform';

const app = aProject();

test('an event wakes the pumps through each core of its process, also after another one was composed that has lost Temporal', async () => {
  compose(app.core);
  const other = testCore();
  const { wakeFanOut } = other.processes as unknown as { readonly wakeFanOut: jest.Mock };
  wakeFanOut.mockRejectedValueOnce(new Error('Temporal is away'));
  compose(other);
  await listen(app.keys.projectId, '*');
  await app.api().post('/v1/events').send({ email: freshAddress(), name: 'thing.done' }).expect(201);
  await eventually('the core of the request wakes a pump', () => app.processes.wakeFanOut.mock.calls.length > 0);
  expect(app.processes.wakeFanOut).toHaveBeenCalledWith(expect.any(Number));
});
