const { readFile } = require('node:fs/promises');

const tag = '/** @group every-database */';

/** A filter of Jest: the test files that also run on the oldest PostgreSQL server, the fallback and Node 24. */
module.exports = async (paths) => {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return { filtered: paths.filter((_, index) => texts[index].startsWith(tag)) };
};
