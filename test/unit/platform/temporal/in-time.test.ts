import { connectTemporal, temporalAnswers } from '../../../../src/platform/temporal/connect';
import { createProcesses } from '../../../../src/platform/temporal/processes';
import { verificationIntent } from '../../../../src/sending/domains/service';
import { Line } from '../../../support/servers/line';
import { testTemporalAddress } from '../../../support/run/servers';

const [host = '', port] = testTemporalAddress().split(':');
const line = new Line({ host, port: Number(port) });
let client: ReturnType<typeof connectTemporal>;

beforeAll(async () => {
  client = connectTemporal({ TEMPORAL_ADDRESS: `127.0.0.1:${await line.listen()}`, TEMPORAL_NAMESPACE: 'default' });
});
afterAll(async () => {
  await client.connection.close();
  await line.goAway();
});

test('what asks a Temporal that says nothing any more learns so in time', async () => {
  expect(await temporalAnswers(client)).toBe(true);
  line.goSilent();
  expect(await temporalAnswers(client)).toBe(false);
  await expect(createProcesses(client).wakeDelivery(0)).rejects.toMatchObject({ cause: { code: 4 } });
  const domain = { _id: 'dom_1', projectId: 'prj_1' };
  await expect(createProcesses(client).ask(verificationIntent(domain), 'check', 60_000)).rejects.toThrow(/time|deadline/i);
});
