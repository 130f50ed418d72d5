const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Most of these tests start processes or databases of their own. */
const long = /^test\/(backup|blobs|cli|db|embedded|fuzz|import|web|workers|[^/]*$)/;

/** Long files come first, in a clean clone too, where Jest knows no durations: one that starts last runs alone. */
module.exports = class LongFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ context, path }) => long.test(relative(context.config.rootDir, path));
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
