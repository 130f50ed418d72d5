const { readFileSync } = require('node:fs');

/** Returns the groups named in the first line of a test file. */
const groupsOf = (path) =>
  /^\/\*\* @group (.*) \*\/\n/.exec(readFileSync(path, 'utf8'))?.[1].split(', ') ?? [];

/** Whether a test file belongs to a group. "quick" are all files that are not tagged "slow". */
const isIn = (path, group) =>
  group === 'quick' ? !groupsOf(path).includes('slow') : groupsOf(path).includes(group);

/** A Jest filter that selects the test files of the group named by `TEST_GROUP`. */
module.exports = async (paths) => ({ filtered: paths.filter((path) => isIn(path, process.env.TEST_GROUP)) });
module.exports.groupsOf = groupsOf;
module.exports.isIn = isIn;
