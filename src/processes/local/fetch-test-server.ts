import { chmod, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inCache, throughCache, verifySha256 } from './binary-cache';
import { announced, run } from './run';
import type { FetchScope } from './run';
import { TEST_SERVER_JARS } from './test-server-jars';

const VERSION = '1.32.0';
const FOLDER = `temporal-test-server-${VERSION}`;
const EXECUTABLE = 'temporal-test-server';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>lettermill</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`;

/** Without it the server logs each gRPC failure at length. */
const LOGGING = 'handlers=\n.level=OFF\n';

const WRAPPER = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.util.logging.config.file="$here/logging.properties" -cp "$here/lib/*" io.temporal.testserver.TestServer "$1"
`;

/** Returns the time-skipping test server fetched before, or null. */
export const cachedTestServer = (scope: FetchScope): string | null => inCache(scope, FOLDER, EXECUTABLE);

async function verifyJars(lib: string): Promise<void> {
  const names = await readdir(lib);
  const unknown = names.filter((name) => !(name in TEST_SERVER_JARS));
  const missing = Object.keys(TEST_SERVER_JARS).filter((name) => !names.includes(name));
  if (unknown.length + missing.length > 0)
    throw new Error(`Unexpected archives ${unknown.join(', ')}; missing archives ${missing.join(', ')}`);
  for (const [name, sum] of Object.entries(TEST_SERVER_JARS)) await verifySha256(path.join(lib, name), sum);
}

/** Resolves to the time-skipping test server from Maven, with a wrapper that makes one executable of it. Needs Java and mvn; the sums are pinned here. */
export function testServerFromMaven(scope: FetchScope): Promise<string> {
  return throughCache(scope, FOLDER, EXECUTABLE, async (into) => {
    const lib = path.join(into, 'lib');
    await writeFile(path.join(into, 'pom.xml'), POM);
    await announced(scope, `Fetching the time-skipping Temporal test server ${VERSION} ... 34 MB`, () =>
      run('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${lib}`, '-DincludeScope=runtime'], {
        timeoutMs: 600_000,
        cwd: into,
        signal: scope.signal,
      }),
    );
    await verifyJars(lib);
    await writeFile(path.join(into, 'logging.properties'), LOGGING);
    await writeFile(path.join(into, EXECUTABLE), WRAPPER);
    await chmod(path.join(into, EXECUTABLE), 0o755);
  });
}
