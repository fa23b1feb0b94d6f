import type * as Emit from '../../../../src/records/events/emit';

const opened = { projectId: 'prj_1', name: 'email.opened', contactId: null, testMode: false, at: new Date() };

test('a process that does not know what wakes the fan-out stores no event', async () => {
  // Modules of its own: another test file of this process may have composed its core.
  await jest.isolateModulesAsync(async () => {
    const { emit, emitOnce } = jest.requireActual<typeof Emit>('../../../../src/records/events/emit');
    const session = {} as Parameters<typeof emit>[0];
    await expect(emit(session, [opened])).rejects.toThrow('this process did not call compose()');
    await expect(emitOnce([{ ...opened, id: 'evt_1' }])).rejects.toThrow('this process did not call compose()');
  });
});
