const { default: Sequencer } = require('@jest/test-sequencer');
const { isIn } = require('./group.cjs');

/** The part of the quick files among which the slow ones are mixed, so that no slow file is the last to end. */
const mixedPart = 0.8;

/**
 * Mixes the slow test files, which mostly wait, evenly among the quick ones, so that there is always work for the CPU.
 * Jest would begin with the files that took longest or, in a new checkout, with the largest ones.
 */
module.exports = class MixingSequencer extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const slow = sorted.filter(({ path }) => isIn(path, 'slow'));
    const quick = sorted.filter(({ path }) => isIn(path, 'quick'));
    const step = (mixedPart * quick.length) / slow.length;
    const end = (index) => Math.round((index + 1) * step);
    const mixed = slow.flatMap((test, index) => [test, ...quick.slice(end(index - 1), end(index))]);
    return [...mixed, ...quick.slice(mixed.length - slow.length)];
  }
};
