import { aProject } from '../../../support/platform/app';
import { erasureCalls } from '../../../support/calls/erasures';
import { documentsWith } from '../../../support/checks/traces';
import { onTheWireOf } from '../../../support/checks/wire';
import { addresses, all, copyCalls } from './copy-calls';
import type { Result } from './copy-calls';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const { erase, remove, fresh, rowOf } = erasureCalls(() => app);
const { post, send } = copyCalls(() => app);

const done = (ids: readonly string[]) =>
  stored.emails.changeAll({ _id: { $in: ids } }, { $set: { status: 'sent', sentAt: new Date() }, $unset: { dueAt: '' } });

test('an erased recipient goes out of the mail of the others too, with the words for that recipient', async () => {
  const [ada, bob] = [fresh(), fresh()];
  await post('/v1/contacts', { email: ada, firstName: 'Adalbertine' }).expect(201);
  const answer = await send({ to: ada, cc: bob, tags: [{ name: 'customer', value: 'adalbertine' }] });
  await done(all(answer).map(({ id }) => id));
  await remove(ada);
  expect(await erase(ada)).toMatchObject({ status: 'completed' });
  expect(await documentsWith([ada, 'Adalbertine'])).toEqual([]);
  const copy = await rowOf(answer.cc?.[0]?.id ?? '');
  expect(copy).toMatchObject({ to: bob, content: 'gone', subject: '', copied: { to: [], cc: [{ address: bob }] } });
  expect((await app.api().get(`/v1/emails/${copy._id}`).expect(200)).body.data).toMatchObject({ to: bob, body: '', contentKept: false });
});

test('an erased recipient who only stood in the headers leaves the words to the others', async () => {
  const [ada, bob] = [fresh(), fresh()];
  await post('/v1/contacts', { email: bob }).expect(201);
  const answer = await send({ to: ada, cc: [bob], createContact: false });
  const [toAda, toBob] = all(answer).map(({ id }) => id) as [string, string];
  await done([toBob]);
  await remove(bob);
  expect(await erase(bob)).toMatchObject({ status: 'completed' });
  expect(await documentsWith([bob])).toEqual([]);
  const { parsed } = await onTheWireOf(app, toAda);
  expect([addresses(parsed.to), parsed.headers.has('cc')]).toEqual([[ada], false]);
  expect(parsed.html).toContain('Dear you');
});

test('words are kept until the copies are out, or were cancelled', async () => {
  const [ada, bob] = [fresh(), fresh()];
  await post('/v1/contacts', { email: ada, firstName: 'Adalbertine' }).expect(201);
  const [own, copy] = all(await send({ to: ada, cc: bob })) as [Result, Result];
  const [, later] = all(await send({ to: ada, cc: bob, sendAt: new Date(Date.now() + 86_400_000) })) as [Result, Result];
  await done([own.id]);
  await remove(ada);
  expect(await erase(ada)).toMatchObject({ status: 'waiting', open: 1 });
  expect((await onTheWireOf(app, copy.id)).parsed.html).toContain('Dear Adalbertine');
  expect((await rowOf(later.id)).status).toBe('cancelled');
  await done([copy.id]);
  expect(await erase(ada)).toMatchObject({ status: 'completed' });
  expect(await documentsWith([ada, 'Adalbertine'])).toEqual([]);
});
