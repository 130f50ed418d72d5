const { readFileSync } = require('node:fs');

/** The groups that the first line of a test file names. */
const groupsOf = (path) =>
  /^\/\*\* @group (.*) \*\/\n/.exec(readFileSync(path, 'utf8'))?.[1].split(', ') ?? [];

/** Whether a test file belongs to a group. "quick" are all files that are not tagged "slow"; "all" are all files. */
const isIn = (path, group) =>
  group === 'all' || (group === 'quick' ? !groupsOf(path).includes('slow') : groupsOf(path).includes(group));

/** A filter of Jest: the test files of the group that `TEST_GROUP` names. */
module.exports = async (paths) => ({ filtered: paths.filter((path) => isIn(path, process.env.TEST_GROUP)) });
module.exports.groupsOf = groupsOf;
module.exports.isIn = isIn;
