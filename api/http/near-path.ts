import { AppError, nearestName } from '../../src/platform/core';

const MOST_SEGMENTS = 8;
const MOST_CHARACTERS = 40;

const isVariable = (segment: string): boolean => segment.startsWith('{');
const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

/** Whether the segments of a path are near a template's, of which some are left open. */
const isNear = (given: readonly string[], template: readonly string[]): boolean =>
  given.length === template.length &&
  template.every(
    (segment, index) => isVariable(segment) || nearestName((given[index] ?? '').slice(0, MOST_CHARACTERS), [segment]) !== null,
  );

/** The path of the API that was probably meant: with another spelling, without its version, with a slash too many. */
function nearestPath(path: string, templates: readonly string[]): string | null {
  const given = segmentsOf(path.slice(0, MOST_SEGMENTS * MOST_CHARACTERS)).slice(0, MOST_SEGMENTS);
  const versioned = /^v\d+$/i.test(given[0] ?? '') ? ['v1', ...given.slice(1)] : ['v1', ...given];
  const near = templates.filter((template) => isNear(versioned, segmentsOf(template)));
  const fixed = (template: string): number => segmentsOf(template).filter((segment) => !isVariable(segment)).length;
  return near.sort((a, b) => fixed(b) - fixed(a))[0] ?? null;
}

/** Makes the 404 of a path that there is not, with the one that was probably meant. */
export const noSuchPath = (path: string, templates: readonly string[]): AppError => {
  const meant = nearestPath(path, templates);
  return new AppError('not_found', `There is no such path${meant === null ? '' : `: did you mean ${meant}?`}`);
};
