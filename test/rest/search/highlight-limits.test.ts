import { beforeAll, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const server = useServer();
let folder: DocumentEntity;

const notes = 30;
const words = Array.from({ length: 150 }, (_, index) => `word${index}`);

/** Words of some 50,000 characters. */
const text = Array.from({ length: 50_000 / 8 }, (_, index) => words[index % words.length]).join(' ');

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder' });
  for (let index = 0; index < notes; index += 1) {
    const properties = { 'note:note': text };
    await createDocument(server, { parent: folder.path, type: 'Note', name: `n${index}`, properties });
  }
  await indexed();
});

/** A search waits for the index for a second at most, which a busy machine may exceed. */
const indexed = () => until(async () => (await server.database.prisma.searchChange.count()) === 0);

interface Entry {
  readonly contextParameters: { readonly highlight: readonly unknown[] };
}

const search = (highlights: readonly string[], path = folder.path) =>
  call(server.request, 'Repository.PageProvider', {
    params: {
      providerName: 'default_search',
      namedParameters: { ecm_path: path, ecm_fulltext: words.join(' ') },
      highlights,
      pageSize: 100,
    },
  }).set('enrichers.document', 'highlight');

test('§4.9 many words in many long texts are highlighted in linear time', async () => {
  const before = process.cpuUsage(); // a busy machine takes longer, but computes no more
  const { body } = await search(['note:note']).expect(200);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000);
  expect(body.entries).toHaveLength(notes);
  for (const { contextParameters } of body.entries) {
    expect(contextParameters.highlight).toEqual([
      { field: 'note:note', segments: [expect.stringContaining('<em>word0</em>')] },
    ]);
  }
});

test('§4.9 a field that is named again is highlighted once', async () => {
  const { body } = await search(Array(500).fill('dc:title').concat('note:note')).expect(200);
  expect(body.entries[0].contextParameters.highlight).toHaveLength(1);
  const [{ segments }] = body.entries[0].contextParameters.highlight;
  expect(segments).toHaveLength(1);
});

test('§4.9 more than 20 fields to highlight answer 400', async () => {
  const fields = Array.from({ length: 21 }, (_, index) => `dc:field${index}`);
  const { body } = await search(fields).expect(400);
  expect(body.message).toBe('query: too many fields to highlight: the maximum is 20');
});

test('§4.9 of all texts of a page together the first 5,000,000 characters are highlighted', async () => {
  const { uid, path } = await createDocument(server, { type: 'Folder' });
  for (const name of ['a', 'b'])
    await call(server.request, 'Document.Copy', { input: folder.uid, params: { target: uid, name } }).expect(
      200,
    );
  await indexed();
  const { body } = await search(['note:note', 'note:note.fulltext'], path).expect(200);
  const counts = body.entries.map(
    ({ contextParameters }: Entry) => contextParameters.highlight.length,
  ) as number[];
  expect(counts).toHaveLength(2 * notes);
  expect(counts[0]).toBe(2);
  expect(counts.at(-1)).toBe(0);
});
