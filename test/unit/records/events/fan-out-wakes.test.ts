import { emit, emitOnce } from '../../../../src/records/events/emit';
import { fanOutWakes } from '../../../../src/records/events/fan-out-wakes';

const opened = { projectId: 'prj_1', name: 'email.opened', contactId: null, testMode: false, at: new Date() };

test('a process that does not know what wakes the fan-out stores no event', async () => {
  jest.spyOn(fanOutWakes, 'answers', 'get').mockImplementation(() => {
    throw new Error('nobody answers');
  });
  // It can write nothing: any write would fail in another way.
  const session = {} as Parameters<typeof emit>[0];
  await expect(emit(session, [opened])).rejects.toThrow('nobody answers');
  await expect(emitOnce([{ ...opened, id: 'evt_1' }])).rejects.toThrow('nobody answers');
});
