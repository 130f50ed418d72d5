const { default: Sequencer } = require('@jest/test-sequencer');
const { groupsOf } = require('./group.cjs');

const isLong = ({ path }) => groupsOf(path).includes('long');

/**
 * Starts the files of the group "long" first, so that no worker is still busy with one when the others have finished.
 * A new clone has no recorded durations, so Jest would sort files only by size.
 */
module.exports = class LongFilesFirst extends Sequencer {
  async sort(tests) {
    const all = [...tests];
    const isShort = (test) => !isLong(test);
    return [...(await super.sort(all.filter(isLong))), ...(await super.sort(all.filter(isShort)))];
  }
};
