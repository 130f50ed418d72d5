const { readFile } = require('node:fs/promises');

/** A filter of Jest: the test files that are also run on the oldest PostgreSQL and the recommended release of Node. */
module.exports = async (paths) => {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const isTagged = (text) =>
    /^\/\*\* @group (.*) \*\/\n/.exec(text)?.[1].split(', ').includes('every-database');
  return { filtered: paths.filter((_, index) => isTagged(texts[index])) };
};
