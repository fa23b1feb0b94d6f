import { campaignCalls } from '../../../support/calls/campaigns';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { api, draft, act } = campaignCalls(() => app);

const DESIGNS = [
  '"{\\"blocks\\":[]}"',
  '[{"$set":1,"a.b":{"constructor":[]}},"x"]',
  '{ "__proto__" : [1],\n\t"z":{"$ne":1.0}, "":12345678901234567890, "10":-0, "2":1e400 }',
  '"half of a pair: \\ud83d, \\/, \\u0041, ü"',
  '{"bodyBlocks":{"bodyBlocks":"}],\\"}\\\\"}}',
];

test.each([...DESIGNS, 'null'])('the editor’s design of a campaign is kept byte for byte: %s', async (design) => {
  const kept = (text: string): string => `"bodyBlocks":${text},"fromName"`;
  const written = (text: string, key = 'bodyBlocks'): string =>
    `{"name":"[{","bodyBlocks":7,"${key}" :\n${text} ,"fromEmail":"a@hello.test"}`;
  const { campaignId } = await draft();
  const url = `/v1/campaigns/${campaignId}`;
  const patched = await api().patch(url).type('json').send(written(design)).expect(200);
  expect(patched.text).toContain(kept(design));
  expect((await api().get(url)).text).toContain(kept(design));
  expect((await act(campaignId, 'duplicate').expect(201)).text).toContain(kept(design));
  expect((await api().get('/v1/campaigns')).text.split(kept(design)).length).toBeGreaterThan(2);
  const again = await api()
    .patch(url)
    .type('json')
    .send(written(`[${design}]`, 'body\\u0042locks'));
  expect(again.text).toContain(kept(`[${design}]`));
  const created = written(design).replace('{', '{"subject":"s","body":"b",');
  expect((await api().post('/v1/campaigns').type('json').send(created).expect(201)).text).toContain(kept(design));
});

test.each(DESIGNS)('the design of a language is kept byte for byte: %s', async (design) => {
  const inGerman = `"variants":{"de":{"subject":"s","body":"b","bodyBlocks":${design}}}`;
  const { campaignId } = await draft();
  const twice = `{"variants":{"fr":{"bodyBlocks":1}},"variants":{"d\\u0065":{"subject":"s","body":"b","bodyBlocks":\n${design}}}}`;
  const patched = await api().patch(`/v1/campaigns/${campaignId}`).type('json').send(twice).expect(200);
  expect(patched.text).toContain(inGerman);
  expect((await act(campaignId, 'duplicate').expect(201)).text).toContain(inGerman);
});
