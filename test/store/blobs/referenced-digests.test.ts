import { expect, test } from '@jest/globals';
import { referringTables } from '../../../src/store/blobs/referenced-digests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

/** Columns with digests of bytes that they keep from no sweep, with the reason. */
const others: Readonly<Record<string, string>> = {
  'conversion.source_digest': 'the document has the file; without it the conversion fails',
  'file_words.digest': 'words of a file, which go when no document has it',
  'rendition.source_digest': 'what was made of a file, which goes when no document has it',
};

const digestColumns = `
  SELECT table_name || '.' || column_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND column_name ~ 'digest'`;

test('Each column of digests refers to blobs, or is known not to', async () => {
  const columns = await server.database.query<{ name: string }>({ name: '', text: digestColumns }, []);
  const known = [...referringTables.map((table) => `${table}.digest`), ...Object.keys(others)];
  expect(columns.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
});
