import Handlebars from 'handlebars';
import { FairQueue } from '../../../src/platform/fair';

/** Does the work. Resolves to the number of parsed templates that contain a mark. */
export async function parsesDuring(mark: string, work: () => Promise<unknown>): Promise<number> {
  const parsing = jest.spyOn(Handlebars, 'parse');
  await work();
  const sources = parsing.mock.calls.map(([source]) => source);
  parsing.mockRestore();
  return sources.filter((source) => source.includes(mark)).length;
}

/** Does the work. Resolves to the number of turns that large work of a project took. */
export async function turnsDuring(projectId: string, work: () => Promise<unknown>): Promise<number> {
  const taking = jest.spyOn(FairQueue.prototype, 'take');
  await work();
  const projects = taking.mock.calls.map(([project]) => project);
  taking.mockRestore();
  return projects.filter((project) => project === projectId).length;
}
