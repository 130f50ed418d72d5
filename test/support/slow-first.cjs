const { default: Sequencer } = require('@jest/test-sequencer');
const { isIn } = require('./group.cjs');

/**
 * Starts the slow test files first, since they mostly wait, and quick files can use the CPU meanwhile. Without this,
 * files run in the order of their durations or, in a new checkout, of their sizes.
 */
module.exports = class SlowFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const slow = sorted.filter(({ path }) => isIn(path, 'slow'));
    return [...slow, ...sorted.filter((test) => !slow.includes(test))];
  }
};
