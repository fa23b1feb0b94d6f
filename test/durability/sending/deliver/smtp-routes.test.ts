import { Platform } from '../../../support/platform/platform';
import { freePort } from '../../../support/run/servers';
import { startSmtpServer } from '../../../support/servers/smtp-fault-server';

test('a server that refuses connections is tried again, and the message fails with the schedule', async () => {
  const closed = await Platform.start({ env: { SMTP_RETRY_SECONDS: '1,1', SMTP_URL: `smtp://127.0.0.1:${await freePort()}` } });
  try {
    const id = await closed.send('refused@example.com');
    const email = await closed.untilStatus(id, 'failed');
    expect(email).toMatchObject({ attempts: 3, bounceType: null });
  } finally {
    await closed.stop();
  }
});

test('a server that spoils the TLS handshake is tried again, and nothing goes out in the clear', async () => {
  const server = await startSmtpServer({ tls: 'broken' });
  const spoiled = await Platform.start({ env: { SMTP_RETRY_SECONDS: '1,1', SMTP_URL: `smtp://127.0.0.1:${server.port}` } });
  try {
    const email = await spoiled.untilStatus(await spoiled.send('spoiled@example.com'), 'failed');
    expect(email).toMatchObject({ attempts: 3, bounceType: null });
    expect(server.messages).toHaveLength(0);
    expect(server.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(0);
  } finally {
    await spoiled.stop();
    await server.close();
  }
});
