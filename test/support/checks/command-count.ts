import mongoose from 'mongoose';

/** Counts the commands that the database gets. */
export interface CommandCount {
  /** Resolves to how many `work` sent. */
  during(work: () => Promise<unknown>): Promise<number>;
}

/** Hears the commands of the connection that the tests of a file use. To be called before what connects: the driver tells of them where it was asked to as it connected. */
export function tellingOfCommands(heard: (name: string, command: Readonly<Record<string, unknown>>) => void): void {
  let spy: jest.SpyInstance | undefined;
  beforeAll(() => {
    const connect = mongoose.connect.bind(mongoose);
    spy = jest.spyOn(mongoose, 'connect').mockImplementation(async (uri, options) => {
      const connected = await connect(uri, { ...options, monitorCommands: true });
      connected.connection.getClient().on('commandStarted', ({ commandName, command }) => heard(commandName, command));
      return connected;
    });
  });
  afterAll(() => spy?.mockRestore());
}

/** Counts the commands of the connection that the tests of a file use. To be called before what connects. */
export function aCommandCount(): CommandCount {
  let count = 0;
  tellingOfCommands(() => {
    count += 1;
  });
  return {
    async during(work) {
      const before = count;
      await work();
      return count - before;
    },
  };
}
