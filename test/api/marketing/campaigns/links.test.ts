import { recordHits } from '../../../../src/sending/tracking/record';
import { campaignCalls, hit } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const { api, rows, deliver, running } = campaignCalls(() => app);
const links = async (id: string) => (await api().get(`/v1/campaigns/${id}/links`).expect(200)).body.data.data as unknown[];

test('a link with a placeholder is one link, whoever clicks it', async () => {
  const body =
    '<a href="https://ex.test/p?u={{contactId}}&amp;c=1">a</a><a href="https://ex.test/p">b</a>' +
    '{{#each (default data.items none)}}<a href="https://ex.test/item/{{this}}">c</a>{{/each}}';
  const id = await running(3, { body });
  const recipients = await rows(id);
  await deliver(recipients);
  for (const { emailId, contactId } of recipients) {
    await recordHits([hit(emailId, `https://ex.test/p?u=${contactId}&c=1`), hit(emailId, 'https://ex.test/p')], false);
  }
  const [first] = recipients;
  await recordHits(
    [1, 2, 2].map((item) => hit(first!.emailId, `https://ex.test/item/${item}`)),
    false,
  );
  await recordHits([hit(first!.emailId, 'https://elsewhere.test/')], false);
  const found = await links(id);
  expect(found).toHaveLength(4);
  expect(found).toEqual(
    expect.arrayContaining([
      { url: 'https://ex.test/p?u={{contactId}}&c=1', clicks: 3, uniqueClicks: 3 },
      { url: 'https://ex.test/p', clicks: 3, uniqueClicks: 3 },
      { url: 'https://ex.test/item/{{this}}', clicks: 3, uniqueClicks: 1 },
      { url: 'https://elsewhere.test/', clicks: 1, uniqueClicks: 1 },
    ]),
  );
  const clicked = await stored.events.all({ name: 'email.clicked', emailId: first!.emailId });
  expect(clicked.map(({ data }) => data?.['url'])).toContain('https://ex.test/item/2');
});
