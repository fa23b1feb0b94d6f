import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const SCRIPT = pathToFileURL(path.join(__dirname, '../../../.ci/newest.mjs')).href;

/** Resolves an expression of what the script exports, in a process of its own: it is a module of ECMAScript. */
const valueOf = (expression: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, [
      '--input-type=module',
      '-e',
      `const newest = await import('${SCRIPT}'); console.log(JSON.stringify(${expression}))`,
    ]).toString(),
  );

test('the newest version is the greatest by its numbers, and no candidate of a release', () => {
  expect(valueOf(`newest.newestOf(['1.9.1', '1.10.0', '1.2.30', '1.11.0-rc.1', '2.0'])`)).toBe('1.10.0');
  expect(valueOf('newest.newestOf([])')).toBeNull();
});

test('of the releases that MongoDB lists, the archive of the newest one for the machines of CI is taken', () => {
  const archive = (name: string, more: object = {}) => ({
    edition: 'targeted',
    target: 'ubuntu2404',
    arch: 'x86_64',
    archive: {
      url: `https://example.com/${name}.tgz`,
      sha256: name,
    },
    ...more,
  });
  const versions = [
    { version: '8.0.30', production_release: true, downloads: [archive('old')] },
    { version: '8.2.4', production_release: true, downloads: [archive('arm', { arch: 'aarch64' }), archive('new')] },
    { version: '8.3.0', production_release: false, downloads: [archive('candidate')] },
  ];
  const found = { version: '8.2.4', url: 'https://example.com/new.tgz', sha256: 'new' };
  expect(valueOf(`newest.newestMongod(${JSON.stringify({ versions })})`)).toEqual(found);
});
