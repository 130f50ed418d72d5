import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { countBelow } from '../../src/import/count-below.ts';
import { omissionLines, readableBytes, summary } from '../../src/import/report.ts';
import type { ImportCounts } from '../../src/import/state.ts';
import { newFolder } from '../support/folder.ts';
import { plant } from './fixture.ts';

const counts = (notes: number, existing = 0): ImportCounts => ({
  created: { Folder: 1, File: 2, Picture: 0, Video: 0, Audio: 0, Note: notes },
  existing,
  skipped: 3,
  bytes: 1_234_567,
});

test('the total counts a folder with all its descendants', async () => {
  const folder = newFolder();
  await plant(folder, { a: '', b: { c: '', d: {} } });
  await symlink('b', join(folder, 'link'));
  expect(await countBelow(folder)).toBe(6);
  expect(await countBelow(join(folder, 'gone'))).toBe(1);
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [1_234_567, '1.2 MB'],
  [5e15, '5000.0 TB'],
])('%d bytes are printed with a unit', (bytes, text) => {
  expect(readableBytes(bytes)).toBe(text);
});

describe('a report', () => {
  test('sums up an import in one line', () => {
    expect(summary(counts(7, 5), 2)).toBe(
      '10 documents created (1 Folder, 2 File, 7 Note), 5 already existed, 3 not imported, 1.2 MB in 2.0 s (5 per second)',
    );
  });

  test('lists omitted files in order, with control characters escaped', () => {
    const omissions = [
      { path: '/b', reason: 'a socket' },
      { path: '/a\u001b[2J', reason: 'a device' },
    ];
    expect(omissionLines(omissions)).toEqual(['  "/a\\u001b[2J": a device', '  /b: a socket']);
  });
});
