const { existsSync, readFileSync, readdirSync, rmSync } = require('node:fs');

/**
 * Outlives a test run, and ends what the run leaves: every process that has its name in the environment, and its folders. It learns of the end from its
 * standard input, which closes however the run ends.
 */
const [, , name, ...folders] = process.argv;

const isOfTheRun = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(name);
  } catch {
    return false;
  }
};

const left = () => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && isOfTheRun(pid));

function sweep() {
  // Twice, since a process may start another while the first are ended.
  for (let round = 0; existsSync('/proc') && round < 2; round++) {
    for (const pid of left()) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {}
    }
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

process.stdin.resume().on('end', sweep);
