import { Engine } from '../../../../src/sending/deliver/engine';
import { deliver } from '../../../../src/sending/deliver/deliver';
import { SmarthostGate } from '../../../../src/sending/deliver/make-lanes';
import { KeptConnection, Lane } from '../../../../src/sending/deliver/transport';
import type { Email } from '../../../../src/records/emails/model';
import { newId } from '../../../../src/platform/core/ids';
import { parseSmtpUrl } from '@lettermill/smtp';
import { aProject } from '../../../support/platform/app';
import { storeEmail } from '../../../support/data/email-rows';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const smtp = aMailServer();

afterEach(() => jest.restoreAllMocks());

/** Resolves when the engine is done with a message, one way or the other. */
const given = (engine: Engine, email: Email | undefined): Promise<void> =>
  new Promise((done) => {
    const pump = { clock: () => new Date(), added: () => undefined, done, held: () => undefined };
    void deliver(app.core, engine, email ? [email] : [], pump);
  });

test('what was claimed before the lease was over is not put on a wire after it was renewed', async () => {
  const lease = { holds: (): boolean => true, term: 1 };
  const gate = new SmarthostGate(1, app.core.log);
  const route = parseSmtpUrl(`smtp://127.0.0.1:${smtp.port}/?tls=off`);
  const connection = gate.watched(new KeptConnection({ route, clientName: 'client.test', mayWrite: () => true }));
  const lane = new Lane(app.core, connection, { route: 'smarthost', retrySeconds: [1], acceptedIsDelivered: true });
  const engine = new Engine(app.core, newId('wrk'), { gate, lanes: [lane] }, lease);
  const bulkWrite = stored.emails.collection.bulkWrite.bind(stored.emails.collection);
  jest.spyOn(stored.emails.collection, 'bulkWrite').mockImplementationOnce(async (...args: Parameters<typeof bulkWrite>) => {
    const claimed = await bulkWrite(...args);
    lease.term++;
    return claimed;
  });

  const stale = await storeEmail(app.keys.projectId, { to: 'stale@example.com', dueAt: new Date() });
  await given(engine, stale);
  const fresh = await storeEmail(app.keys.projectId, { to: 'fresh@example.com', dueAt: new Date() });
  await given(engine, fresh);
  await engine.drain();

  expect(smtp.messages.map(({ to }) => to)).toEqual(['fresh@example.com']);
  expect(await stored.emails.one(stale._id)).toMatchObject({ status: 'sending' });
});
