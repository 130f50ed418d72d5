import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type ArchiveWriter, writeArchive } from '../../src/backup/archive.ts';
import { newFolder } from '../support/folder.ts';

const text = 'x'.repeat(2_000_000);

async function fillForever(archive: ArchiveWriter): Promise<void> {
  for (;;) await archive.addText('text', text);
}

test.each([0, 1, 5, 50])(
  'An archive that is interrupted after %p ms leaves no file',
  async (milliseconds) => {
    const folder = newFolder();
    const signal = AbortSignal.timeout(milliseconds);
    await expect(writeArchive(join(folder, 'archive'), signal, fillForever)).rejects.toThrow(/abort/i);
    expect(await readdir(folder)).toEqual([]);
  },
);

test('An archive that cannot be written fails with the reason', async () => {
  const file = join(newFolder(), 'missing', 'archive');
  await expect(writeArchive(file, new AbortController().signal, fillForever)).rejects.toThrow(/^ENOENT: /);
});
