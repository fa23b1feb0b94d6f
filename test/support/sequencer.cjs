const Sequencer = require('@jest/test-sequencer').default;

/** Lanes in the order in which they start: what mostly waits first, so that no long file is left running alone at the end. */
const LANES = ['e2e', 'workflows', 'api', 'unit', 'replay'];

const laneOf = ({ path, context }) => LANES.findIndex((lane) => path.startsWith(`${context.config.rootDir}/test/.groups/${lane}/`));

module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => laneOf(a) - laneOf(b));
  }
};
