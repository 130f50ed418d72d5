import { expect, test } from '@jest/globals';
import { filesBelow, read, sourceFiles } from './tree.ts';

const room = 'src/store/row-locks/';

/** In a text, a clause that locks rows and may wait for them. */
const lockingClause =
  /^(?! *(?:\*|\/\/)).*\bFOR (?:KEY SHARE|SHARE|NO KEY UPDATE|UPDATE)\b(?! (?:OF \S+ )?SKIP LOCKED)/m;

const advisoryLock = /\bpg_(?:try_)?advisory_/;

/** Files with locks of another kind, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'src/store/directories/table.ts': 'entries are sorted before they become parameters',
  'src/db/start-up-lock.ts': 'one process at a time migrates the database',
};

test('Rows are locked by the statements of store/row-locks alone', () => {
  const files = sourceFiles.filter((file) => {
    const text = read(file);
    return !file.startsWith(room) && (lockingClause.test(text) || advisoryLock.test(text));
  });
  expect(files.toSorted()).toEqual(Object.keys(exceptions).toSorted());
});

test('lock-order.ts names every file that locks', () => {
  const order = read(`${room}lock-order.ts`);
  const names = filesBelow(room).map((file) => file.slice(room.length));
  const locks = names.filter((name) => name.startsWith('lock-') && name !== 'lock-order.ts');
  expect(locks.filter((name) => !order.includes(name))).toEqual([]);
});
