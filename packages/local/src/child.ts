import Module from 'node:module';

const DRAIN_MS = 5_000;

/**
 * Runs `child.ts <entry file> <arguments>`: the entry file, as if it had been started alone, but it does not outlive the supervisor that
 * holds the other end of its channel.
 */
function main(): void {
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // The listener above would keep a part alive that has nothing left to do.
  process.channel?.unref();
  process.argv.splice(1, 1);
  Module.runMain();
}

main();
