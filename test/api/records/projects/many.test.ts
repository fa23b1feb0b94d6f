import { allProjects, createProject } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';

aProject();

/** More than a page. */
const MANY = 600;

async function idsBehind(after?: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { _id } of allProjects(after)) ids.push(_id);
  return ids;
}

test('any number of projects is read, each once, and from any of them on', async () => {
  const made = await Promise.all(Array.from({ length: MANY }, (_, n) => createProject(`Project ${n}`)));
  const all = await idsBehind();
  expect(all).toEqual([...new Set(all)].sort());
  expect(all).toEqual(expect.arrayContaining(made.map(({ projectId }) => projectId)));
  expect(await idsBehind(all[300])).toEqual(all.slice(301));
});
