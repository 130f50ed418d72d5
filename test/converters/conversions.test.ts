import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { openBlobStore } from '../../src/blobs/open-blob-store.ts';
import { readConfig } from '../../src/config.ts';
import { type Conversions, createConversions } from '../../src/converters/conversions.ts';
import { findTools } from '../../src/converters/programs/programs.ts';
import { newFolder } from '../support/folder.ts';
import { programs } from '../support/programs.ts';
import { until } from '../support/until.ts';

let blobs: BlobStore;
let conversions: Conversions;
let folder: string;
beforeAll(async () => {
  folder = await programs({ soffice: 'while [ ! -e "$(dirname "$0")/go" ]; do sleep 0.1; done; exit 3' });
  blobs = await openBlobStore(readConfig({ DATA_DIR: newFolder() }));
  conversions = createConversions({ blobs, tools: await findTools([folder], []), processes: 1 });
});
afterAll(() => conversions.close());

test('a file that waits too long for its turn is refused, and never converted; jobs wait on', async () => {
  const stored = async (text: string) => (await blobs.write([Buffer.from(`{\\rtf1 ${text}}`)])).digest;
  const [slow, refused, patient] = [
    await stored('slow'),
    await stored('some words'),
    await stored('sole words'),
  ];
  const convert = (digest: string, converter: string, longestWait?: number) =>
    conversions.convert({ converter, digest, mimeType: 'application/rtf' }, longestWait);
  const first = convert(slow, 'office2pdf', 60_000).catch((error: Error) => error.message);
  const last = convert(patient, 'rtf2text');
  await expect(convert(refused, 'rtf2text', 50)).rejects.toThrow(
    'Too many files are waiting to be converted',
  );
  await writeFile(join(folder, 'go'), '');
  expect(await first).toBe('soffice exited with 3: no error output');
  expect(await last).toMatchObject({ mimeType: 'text/plain', length: 10 });
  await until(async () => (await convert(refused, 'rtf2text', 10_000)).length === 10);
});
