const { readFile } = require('node:fs/promises');

const group = process.env.TEST_ENGINE === 'pglite' ? 'fallback' : 'every-database';

/** A filter of Jest: the test files whose first line names the group that is run beside the whole suite. */
module.exports = async (paths) => {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const isTagged = (text) => /^\/\*\* @group (.*) \*\/\n/.exec(text)?.[1].split(', ').includes(group);
  return { filtered: paths.filter((_, index) => isTagged(texts[index])) };
};
