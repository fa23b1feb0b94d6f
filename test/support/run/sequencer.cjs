const Sequencer = require('@jest/test-sequencer').default;

/** Lanes that compute, in the order in which they start: the long files come first, so that none is left running alone at the end. */
const COMPUTING = ['browser', 'api', 'workflows', 'unit', 'replay'];

const laneOf = ({ path, context }) => path.slice(`${context.config.rootDir}/test/.groups/`.length).split('/')[0];

/** The e2e lane mostly waits for processes and takes longest: it begins, and then the others start alternating with it, so that the processors stay busy. */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const waiting = sorted.filter((test) => laneOf(test) === 'e2e');
    const computing = COMPUTING.flatMap((lane) => sorted.filter((test) => laneOf(test) === lane));
    const [first, second, ...rest] = waiting;
    const pairs = Array.from({ length: Math.max(rest.length, computing.length) }, (_, index) => [computing[index], rest[index]]);
    const order = [first, second, ...pairs.flat()].filter((test) => test !== undefined);
    if (order.length !== tests.length) throw new Error('A lane of tests has no place in the order: it would not be run');
    return order;
  }
};
