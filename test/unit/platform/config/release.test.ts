import { VERSION, loadConfig, releaseOf } from '../../../../src/platform/config';
import { introduce } from '../../../../src/platform/config/introduce';

test('a process says its version when it starts, and what it was built from where that is known', () => {
  const said = jest.fn();
  // Below a supervisor it says nothing: the runner of the tests may be one.
  const { send } = process;
  Object.assign(process, { send: undefined });
  introduce(loadConfig({ RELEASE_COMMIT: '4f9c1e2' }), { info: said, warn: jest.fn() });
  expect(said).toHaveBeenCalledWith({ release: `${VERSION} (4f9c1e2)`, node: process.versions.node }, 'starting');
  Object.assign(process, { send });
  expect(releaseOf(loadConfig({ RELEASE_COMMIT: '' }))).toBe(VERSION);
});

test('what is no name of a build is refused', () => {
  expect(() => loadConfig({ RELEASE_COMMIT: 'two words' })).toThrow('RELEASE_COMMIT');
});
