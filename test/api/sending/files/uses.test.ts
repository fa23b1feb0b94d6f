import { pictures } from '../../../support/data/pictures';
import { hearCommands } from '../../../support/checks/command-count';
import { aProject } from '../../../support/platform/app';

const app = aProject();

const made = async (path: string, body: object): Promise<string> => {
  const { data } = (await app.api().post(path).send(body).expect(201)).body as { data: Readonly<Record<string, string>> };
  return data['templateId'] ?? data['campaignId'] ?? data['workflowId'] ?? '';
};

const uses = async (id: string, key = app.keys.secret): Promise<unknown> =>
  (await app.api(key).get(`/v1/files/${id}`).expect(200)).body.data.uses;

test('a picture names what shows it: templates and campaigns in each language, automations, and the brand', async () => {
  const upload = async (tail: string): Promise<{ readonly id: string; readonly url: string }> =>
    (
      await app
        .api()
        .post('/v1/files')
        .set('Content-Type', 'image/png')
        .send(pictures.png(2, 2, tail))
        .expect(201)
    ).body.data;
  const [logo, unused] = [await upload('logo'), await upload('unused')];
  const shown = `<p><img alt="Logo" src="${logo.url}"></p>`;
  const message = { subject: 'News', fromEmail: 'shop@mail.example.com', body: '<p>News</p>' };
  const variants = { de: { subject: 'Neues', body: shown } };

  const plain = await made('/v1/templates', { ...message, name: 'Plain', body: shown });
  const german = await made('/v1/templates', { ...message, name: 'German', variants });
  await made('/v1/templates', { ...message, name: 'Without' });
  const sale = await made('/v1/campaigns', { ...message, name: 'Sale', variants });
  const nodes = [
    { id: 't', type: 'trigger', config: {} },
    { id: 'm', type: 'send_email', config: { ...message, body: shown } },
  ];
  const graph = { nodes, edges: [{ from: 't', to: 'm' }] };
  const welcome = await made('/v1/workflows', { name: 'Welcome', trigger: 'event:user.joined', graph });
  await app
    .api()
    .patch('/v1/settings')
    .send({ name: 'Shop', brand: { logoUrl: logo.url.replace(/^http:\/\/[^/]+/, 'https://mail.example.com') } })
    .expect(200);

  expect(await uses(logo.id)).toEqual([
    { kind: 'brand', id: app.keys.projectId, name: 'Shop' },
    { kind: 'template', id: german, name: 'German' },
    { kind: 'template', id: plain, name: 'Plain' },
    { kind: 'campaign', id: sale, name: 'Sale' },
    { kind: 'workflow', id: welcome, name: 'Welcome' },
  ]);
  expect(await uses(unused.id)).toEqual([]);

  // Only the current version counts.
  await app.api().patch(`/v1/templates/${plain}`).send({ body: '<p>Plain</p>' }).expect(200);
  expect(await uses(logo.id)).toEqual(expect.not.arrayContaining([expect.objectContaining({ name: 'Plain' })]));
});

test('searches of a project run one at a time, and none of them without an end', async () => {
  const contents = ['one', 'two', 'three'].map((tail) => pictures.png(2, 2, tail));
  const files = await Promise.all(
    contents.map(
      async (content) => (await app.api().post('/v1/files').set('Content-Type', 'image/png').send(content).expect(201)).body.data,
    ),
  );
  const fileIds = files.map(({ id }) => id as string);
  const searches: { readonly text: string; readonly in: unknown; readonly mostMs: unknown }[] = [];
  const stop = hearCommands((name, command) => {
    if (name === 'find' || name === 'distinct')
      searches.push({ text: JSON.stringify(command), in: command[name], mostMs: command['maxTimeMS'] });
  });
  await Promise.all(fileIds.map((id) => uses(id)));
  stop();

  const own = searches.filter(({ text }) => /\$regex|\$or/.test(text) && fileIds.some((id) => text.includes(id)));
  const inTurn = own.map(({ text }) => fileIds.find((id) => text.includes(id)));
  expect(own).toHaveLength(12);
  for (const first of [0, 4, 8]) expect(new Set(inTurn.slice(first, first + 4)).size).toBe(1);
  expect(new Set(own.map((search) => search.in)).size).toBe(4);
  expect(own.map(({ mostMs }) => mostMs)).toEqual(own.map(() => 5_000));
});
