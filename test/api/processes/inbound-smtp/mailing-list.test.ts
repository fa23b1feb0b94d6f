import { aProject } from '../../../support/platform/app';
import { anInboundServer } from '../../../support/platform/inbound-smtp';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const smtp = anInboundServer(app);

test('what a mailing list adds is in the HTML too, and a text that has a file name keeps it', async () => {
  const text = `From: =?utf-8?q?J=C3=BCrgen?= <juergen@example.com>
Subject: =?iso-8859-1?q?Gr\xfc\xdfe?=
Message-ID: <list-1@example.com>
Content-Type: multipart/mixed; boundary="m"

--m
Content-Type: text/html

<meta charset="iso-8859-2"><p>Dzie\xf1 dobry</p>
--m
Content-Type: text/plain; name="notes.txt"
Content-Disposition: inline

To leave: write to <list>
--m--
`;
  const bytes = Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1');
  expect((await smtp.deliver({ from: 'juergen@example.com', to: 'list@hello.test', data: bytes })).data).toMatch(/^250 /);
  const { body: list } = await app.api().get('/v1/inbound').query({ to: 'list@hello.test' }).expect(200);
  const [row] = list.data;
  expect(row).toMatchObject({ subject: 'Grüße' });
  const { body } = await app.api().get(`/v1/emails/${row.emailId}`).expect(200);
  const email = body.data;
  expect(email.html ?? email.body).toBe(
    '<meta charset="iso-8859-2"><p>Dzień dobry</p>\n<div style="white-space: pre-wrap">To leave: write to &lt;list&gt;</div>',
  );
  expect(email.text).toBe('Dzień dobry\nTo leave: write to <list>');
  expect(email.attachments).toMatchObject([{ filename: 'notes.txt', contentType: 'text/plain' }]);
});
