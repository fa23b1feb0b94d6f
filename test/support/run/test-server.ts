import { chmod, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { firstOf } from '../../../packages/local/src/binaries';
import { inCache, throughCache, verifySha256 } from '../../../packages/local/src/binary-cache';
import { announced, run } from '../../../packages/local/src/run';
import type { FetchScope } from '../../../packages/local/src/run';
import type { Config } from '../../../src/platform/config';

const VERSION = '1.32.0';
const FOLDER = `temporal-test-server-${VERSION}`;
const EXECUTABLE = 'temporal-test-server';

/** SHA-256 of each archive of the time-skipping test server of this version and of what it needs to run. */
const TEST_SERVER_JARS: Readonly<Record<string, string>> = {
  'HdrHistogram-2.1.12.jar': '9b47fbae444feaac4b7e04f0ea294569e4bc282bc69d8c2ce2ac3f23577281e2',
  'LatencyUtils-2.0.3.jar': 'a32a9ffa06b2f4e01c5360f8f9df7bc5d9454a5d373cd8f361347fa5a57165ec',
  'animal-sniffer-annotations-1.23.jar': '9ffe526bf43a6348e9d8b33b9cd6f580a7f5eed0cf055913007eda263de974d0',
  'annotations-4.1.1.4.jar': 'ba734e1e84c09d615af6a09d33034b4f0442f8772dec120efb376d86a565ae15',
  'checker-qual-3.33.0.jar': 'e316255bbfcd9fe50d165314b85abb2b33cb2a66a93c491db648e498a82c2de1',
  'cron-utils-9.2.1.jar': '02af0e8b2fe93c9fa6eecf97b53b39faae14c5b996356edb132e9fe620013744',
  'error_prone_annotations-2.18.0.jar': '9e6814cb71816988a4fd1b07a993a8f21bb7058d522c162b1de849e19bea54ae',
  'failureaccess-1.0.1.jar': 'a171ee4c734dd2da837e4b16be9df4661afab72a41adaf31eb84dfdaf936ca26',
  'grpc-api-1.58.1.jar': '2c33a813c63aa2c8e4db2231e4c244c8bbd1c8d9eefb8758633bc4dffb124c48',
  'grpc-context-1.58.1.jar': 'd6e186190aa20fe1dbc8343fa7d7f98a32b487180aab6640b230ea38fcdd3468',
  'grpc-core-1.58.1.jar': '6aa73e0d8a05a9dcb110a04a4043025ec423c2c515a9ba235d833783bd4b805c',
  'grpc-inprocess-1.58.1.jar': 'fe90bc5a1c15830b93ad0cabf4f8f10e072cb69e80d980374fbf005d60070c5f',
  'grpc-netty-shaded-1.58.1.jar': 'beb30243dda938d268ba50f2bd09d3c2af9fa1ef53c681525d8ff38fa5350cc6',
  'grpc-protobuf-1.58.1.jar': 'd9cdde8b14185b4d8941b3ac79f12f5e94c9f734d9b37ba4293cf06b9ca45644',
  'grpc-protobuf-lite-1.58.1.jar': '704cff056398cfe866a4c13c56136628f7e0c7740772675d1dc184147c409c04',
  'grpc-services-1.58.1.jar': '2777a4f0a323ef99f04035a85b87ce58554234704b234d22d0f28afa835307b0',
  'grpc-stub-1.58.1.jar': '6a2579a2a4536f9ff6cea48a347af47207195a3396fade5f2e3be660267c1973',
  'grpc-util-1.58.1.jar': '54e7d121d4c82969d61f340559cdcba6168415b4d0e3777d3cf998da3006ce82',
  'gson-2.10.1.jar': '4241c14a7727c34feea6507ec801318a3d4a90f070e4525681079fb94ee4c593',
  'guava-32.0.1-jre.jar': 'bd7fa227591fb8509677d0d1122cf95158f3b8a9f45653f58281d879f6dc48c5',
  'j2objc-annotations-2.8.jar': 'f02a95fa1a5e95edb3ed859fd0fb7df709d121a35290eff8b74dce2ab7f4d6ed',
  'jackson-annotations-2.15.4.jar': 'f204ebbd552614a22b8531ffe350d47f8fd42c45bb60517c07974dc27a5a1dd3',
  'jackson-core-2.15.4.jar': '8dc9210dd285db366f45f518dd1e6a9ccfeb0f1a8e184a899fe96d29edf1fd94',
  'jackson-databind-2.15.4.jar': '0f99ff7719eef3ee85608b3dee6ecf3c698003fe9d6e34eabbfabccdc9b5ac2c',
  'jackson-datatype-jdk8-2.15.4.jar': '3efb9d55b62f50e64b11fe00625800285fef8781736b80bd206677fb56040aac',
  'jackson-datatype-jsr310-2.15.4.jar': '472498cbba2726012ff82f86fc8feef9593663bda1a695a17db804a63fa733ff',
  'jsr305-3.0.2.jar': '766ad2a0783f2687962c8ad74ceecc38a28b9f72a2d085ee438b7813e928d0c7',
  'listenablefuture-9999.0-empty-to-avoid-conflict-with-guava.jar': 'b372a037d4230aa57fbeffdef30fd6123f9c0c2db85d0aced00c91b974f33f99',
  'micrometer-core-1.9.9.jar': 'ddec1c877a32dcf4f5e6cab5efc22707975d1d7e0fb780bcffe505384c52070c',
  'nexus-sdk-0.4.0-alpha.jar': '24b4504a489aadf820888a81642aff63e376e40192cc57a3233a6b4fabdef174',
  'perfmark-api-0.26.0.jar': 'b7d23e93a34537ce332708269a0d1404788a5b5e1949e82f5535fce51b3ea95b',
  'proto-google-common-protos-2.22.0.jar': '002eebc53d27e4fb2e8cf823ea1f3565b90c4b0b4380ff508bf61bd42f2be0d3',
  'protobuf-java-3.25.8.jar': '72bdb32eb38cafb7dcd288262c29a34d57cba2e19101af9685155ba8c0a56008',
  'protobuf-java-util-3.25.8.jar': 'e7196eaefc3f81afa1571821635c7aefe2933f4be4a9df9e601fb59214b50269',
  'slf4j-api-1.7.36.jar': 'd3ef575e3e4979678dc01bf1dcce51021493b4d11fb7f1be8ad982877c16a1c0',
  'slf4j-nop-1.7.36.jar': 'c214958b07816cb4412b30c7bdbd4308ffdc6ba2a83767b8f3a9229cbd9274d6',
  'tally-core-0.13.0.jar': 'b3ccc572be36be91c47447c7778bc141a74591279cdb40224882e8ac8271b58b',
  'temporal-sdk-1.32.0.jar': '17d456e082b9370bef8e6f5cd1377fe6608c340a49c8cef69d836470dca6f8ae',
  'temporal-serviceclient-1.32.0.jar': '618e630599665e7f2164ba6537a27032e67265c2abd4d817b60deea7ea4578e2',
  'temporal-test-server-1.32.0.jar': 'f578e93af91f915a934b7c89cec75411df0238bd4f202773f52a5b5eaee0eb59',
};

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

/** Resolves to the time-skipping test server: TEMPORAL_TEST_SERVER, the cache, Maven. Rejects with all that was tried. */
export async function findTestServer(settings: Pick<Config, 'TEMPORAL_TEST_SERVER'>, scope: FetchScope): Promise<string> {
  if (settings.TEMPORAL_TEST_SERVER) return settings.TEMPORAL_TEST_SERVER;
  return firstOf('time-skipping Temporal test server', 'TEMPORAL_TEST_SERVER', scope, [
    { name: 'cache', find: () => inCache(scope, FOLDER, EXECUTABLE) },
    { name: 'Maven', find: () => testServerFromMaven(scope) },
  ]);
}

async function verifyJars(lib: string): Promise<void> {
  const names = await readdir(lib);
  const unknown = names.filter((name) => !(name in TEST_SERVER_JARS));
  const missing = Object.keys(TEST_SERVER_JARS).filter((name) => !names.includes(name));
  if (unknown.length + missing.length > 0)
    throw new Error(`Unexpected archives ${unknown.join(', ')}; missing archives ${missing.join(', ')}`);
  for (const [name, sum] of Object.entries(TEST_SERVER_JARS)) await verifySha256(path.join(lib, name), sum);
}

/** Resolves to the time-skipping test server from Maven, with a wrapper that turns it into one executable. Needs Java and mvn; the sums are pinned here. */
function testServerFromMaven(scope: FetchScope): Promise<string> {
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
