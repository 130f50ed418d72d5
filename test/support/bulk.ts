import type { DocumentEntity } from './documents.ts';
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

/** Waits until a bulk action is completed or aborted. */
export async function bulkEnded(request: Request, id: string): Promise<BulkStatus> {
  await until(async () => ['COMPLETED', 'ABORTED'].includes((await bulkStatusOf(request, id)).state), 20_000);
  return bulkStatusOf(request, id);
}

/** Runs a bulk action over all that is below a folder. */
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
