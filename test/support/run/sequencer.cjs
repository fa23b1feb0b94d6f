const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Lanes that mostly wait for processes and pages. */
const WAITING = ['browser', 'e2e', 'packages', 'durability'];

/**
 * The slowest files of the lanes that wait, by their paths from `test`: begun last, one of them would delay everything. For a fresh
 * checkout, only the sizes of the files are known.
 */
const LONGEST = [
  'browser/journeys.test.ts',
  'durability/marketing/campaigns/series.test.ts',
  'durability/sending/deliver/crash.test.ts',
  'browser/screens.test.ts',
  'durability/marketing/campaigns/control.test.ts',
  'durability/sending/deliver/waiting.test.ts',
  'packages/docs/blocks.test.ts',
  'durability/marketing/campaigns/rollout.test.ts',
  'packages/clients/python.test.ts',
  'durability/marketing/campaigns/campaign.test.ts',
  'durability/sending/provider-holds/provider-holds.test.ts',
  'durability/processes/local/start.test.ts',
  'durability/sending/restore-fence/restore.test.ts',
  'durability/processes/local/start-given.test.ts',
  'durability/marketing/certificate/certificate.test.ts',
];

/** A file's place among the longest; behind all of them where it is none. */
function placeOf({ path: file, context }) {
  const place = LONGEST.indexOf(path.relative(path.join(context.config.rootDir, 'test'), file));
  return place === -1 ? LONGEST.length : place;
}

const laneOf = ({ path: file, context }) => path.relative(context.config.rootDir, file).split(path.sep)[1];

/** Starts the files of waiting lanes first and alternating with those that compute, so that the processors stay busy and no long file is left for the end. */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const waiting = sorted.filter((test) => WAITING.includes(laneOf(test))).sort((a, b) => placeOf(a) - placeOf(b));
    const computing = sorted.filter((test) => !WAITING.includes(laneOf(test)));
    const order = [];
    while (waiting.length + computing.length > 0) order.push(...waiting.splice(0, 1), ...computing.splice(0, 1));
    return order;
  }
};
