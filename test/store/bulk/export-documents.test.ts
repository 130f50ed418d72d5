import { beforeAll, describe, expect, test } from '@jest/globals';
import { documentOperations } from '../../../src/automation/document-operations.ts';
import { newMeter } from '../../../src/db/meter.ts';
import { createContext } from '../../../src/loaders/context.ts';
import { bulkActionNamed } from '../../../src/store/bulk/actions/index.ts';
import type { ExportAction } from '../../../src/store/bulk/bulk-action.ts';
import { exportDocuments } from '../../../src/store/bulk/export-documents.ts';
import { folderOfFiles, runBulkBelow } from '../../support/bulk.ts';
import type { DocumentEntity } from '../../support/documents.ts';
import { asText } from '../../support/requests.ts';
import { testScope } from '../../support/scope.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
const large = 1_200_000;
let folder: DocumentEntity;
let ids: string[];

beforeAll(async () => {
  const made = await folderOfFiles(server, 3);
  folder = made.folder;
  ids = made.files.map(({ uid }) => uid);
});

/** Gives the documents a source of so many characters, of which no text is repeated. */
const fill = (length: number) =>
  server.database.query(
    {
      name: '',
      text: `UPDATE document SET properties = properties || jsonb_build_object('dc:source', left(long.source, ${length}))
        FROM (SELECT string_agg(md5(n::text), '') AS source FROM generate_series(1, ${Math.ceil(length / 32)}) n) long
        WHERE parent_id = '${folder.uid}'`,
    },
    [],
  );

/** The results of a slice, the length of what it has written, and the pieces of that. */
async function slice(action: string, parameters: object, end: number) {
  const meter = newMeter();
  const pieces: number[] = [];
  const blobs = Object.assign(Object.create(server.blobs), {
    write: (bytes: AsyncIterable<Buffer>) => {
      const counted = async function* () {
        for await (const piece of bytes) {
          pieces.push(piece.length);
          yield piece;
        }
      };
      return server.blobs.write(counted());
    },
  });
  const exported = {
    id: '44444444-4444-4444-8444-444444444444',
    action: bulkActionNamed(action) as ExportAction,
    parameters,
  };
  const results = await server.database
    .metered(meter)
    .transaction(30, (db) =>
      exportDocuments(createContext(testScope(db, { blobs }), documentOperations), exported, { ids, end }),
    );
  return { results, pieces, statements: meter.statements };
}

// §4.7
describe('An export of large documents', () => {
  test.each([
    ['csvExport', { xpaths: ['dc:source'] }],
    ['jsonlExport', { schemas: ['dublincore'] }],
  ])('%s reads and writes them one by one, and small ones together', async (action, parameters) => {
    const given = { schemas: [], ...parameters };
    await fill(10);
    const small = await slice(action, given, Number.POSITIVE_INFINITY);
    await fill(large);
    const whole = await slice(action, given, Number.POSITIVE_INFINITY);
    expect(whole.statements).toBeGreaterThan(small.statements);
    for (const { results, pieces } of [small, whole]) {
      expect(results).toEqual({ done: ids, failed: [], skipped: 0 });
      expect(pieces).toHaveLength(3);
    }
  });

  test('leaves documents to the next slice when it runs out of time', async () => {
    await fill(large);
    const { results, pieces } = await slice('jsonlExport', { schemas: ['dublincore'] }, 0);
    expect([results, pieces.length]).toEqual([{ done: [ids[0]], failed: [], skipped: 0 }, 1]);
  });

  test('is complete', async () => {
    await fill(large);
    const { commandId, ...done } = await runBulkBelow(server.request, 'jsonlExport', folder, {});
    expect(done).toMatchObject({ state: 'COMPLETED', processed: 3, errorCount: 0, skipCount: 0 });
    const { body } = await asText(server.request.get(`/api/v1/bulk/${commandId}/result`)).expect(200);
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line) as DocumentEntity);
    expect(lines.map(({ uid }: DocumentEntity) => uid).toSorted()).toEqual(ids.toSorted());
    for (const { properties } of lines) expect(properties['dc:source']).toHaveLength(large);
  });
});
