const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Lanes that mostly wait for processes and pages. */
const WAITING = ['browser', 'e2e', 'packages', 'durability'];

const laneOf = ({ path: file, context }) => path.relative(context.config.rootDir, file).split(path.sep)[1];

/** Starts the files of waiting lanes first and alternating with those that compute, so that the processors stay busy and no long file is left for the end. */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const waiting = sorted.filter((test) => WAITING.includes(laneOf(test)));
    const computing = sorted.filter((test) => !WAITING.includes(laneOf(test)));
    const order = [];
    while (waiting.length + computing.length > 0) order.push(...waiting.splice(0, 1), ...computing.splice(0, 1));
    return order;
  }
};
