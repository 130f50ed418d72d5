import { bulkJob } from '../../src/store/bulk/commands.ts';
import { sliceSize } from '../../src/store/bulk/slice-results.ts';
import { enqueueJobs } from '../../src/store/queue/enqueue-jobs.ts';
import { atId, createDocument, type DocumentEntity } from './documents.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

export interface BulkStatus {
  readonly commandId: string;
  readonly state: string;
  readonly [name: string]: unknown;
}

type Request = TestServer['request'];

export const bulkStatusOf = async (request: Request, id: string): Promise<BulkStatus> =>
  (await request.get(`/api/v1/bulk/${id}`).expect(200)).body;

/** Starts the job of a bulk command that a test has written to the database. */
export const resumeBulk = ({ database }: TestServer, command: string): Promise<void> =>
  enqueueJobs({ db: database }, [{ kind: bulkJob, payload: { command } }]);

/** Waits until a bulk action has completed or been aborted. */
export async function bulkEnded(request: Request, id: string): Promise<BulkStatus> {
  await until(async () => ['COMPLETED', 'ABORTED'].includes((await bulkStatusOf(request, id)).state));
  return bulkStatusOf(request, id);
}

/** Runs a bulk action on all documents below a folder and waits until it has ended. */
export async function runBulkBelow(
  request: Request,
  action: string,
  folder: Pick<DocumentEntity, 'uid'>,
  body: object,
): Promise<BulkStatus> {
  const query = `SELECT * FROM Document WHERE ecm:ancestorId = '${folder.uid}'`;
  const answer = await request.post(`/api/v1/search/bulk/${action}`).query({ query }).send(body).expect(202);
  return bulkEnded(request, answer.body.commandId);
}

/** Creates a folder with more documents than a single slice of a bulk action can contain. */
export async function foldersOfMany(server: TestServer): Promise<{ folder: DocumentEntity; total: number }> {
  const perFolder = 25;
  const folder = await createDocument(server, { type: 'Folder' });
  const inner = await createDocument(server, { type: 'Folder', parent: folder.path, name: 'folder' });
  for (let made = 0; made < perFolder; made += 1)
    await createDocument(server, { parent: inner.path, name: `f${made}` });
  let total = perFolder + 1;
  while (total <= sliceSize) {
    const params = { target: folder.path, name: `copy-${total}` };
    await server.request
      .post(`${atId(inner.uid)}/@op/Document.Copy`)
      .send({ params })
      .expect(200);
    total += perFolder + 1;
  }
  return { folder, total };
}

/** Creates a folder with `count` files that are named `f0`, `f1` and so on. */
export async function folderOfFiles(
  server: TestServer,
  count: number,
): Promise<{ folder: DocumentEntity; files: DocumentEntity[] }> {
  const folder = await createDocument(server, { type: 'Folder' });
  const files: DocumentEntity[] = [];
  for (let made = 0; made < count; made += 1)
    files.push(await createDocument(server, { parent: folder.path, name: `f${made}` }));
  return { folder, files };
}
