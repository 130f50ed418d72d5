import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelDefinition } from '../../../src/model/definitions.ts';
import { start, type TestServer } from '../../support/server.ts';

/** Where documents are made when it does not matter where. */
export const workspaces = '/default-domain/workspaces';

/** The address of a document by its path. */
export const at = (path: string): string =>
  `/api/v1/path${path.split('/').map(encodeURIComponent).join('/')}`;

/** The address of a document by its id. */
export const atId = (id: string): string => `/api/v1/id/${id}`;

/** An id that no document has. */
export const nobody = '00000000-0000-4000-8000-000000000000';

/** The body of a create or an update. */
export const entity = (fields: Record<string, unknown>): Record<string, unknown> => ({
  'entity-type': 'document',
  ...fields,
});

/** The error body of a status, whose message says so much. */
export const exception = (status: number, message: unknown): Record<string, unknown> => ({
  'entity-type': 'exception',
  status,
  message,
});

/** The application with types of its own. */
export async function startWithModel(
  definition: Partial<ModelDefinition>,
  settings: Record<string, string> = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-model-'));
  try {
    await writeFile(join(folder, 'test.json'), JSON.stringify(definition));
    return await start({ MODEL_DIR: folder, ...settings });
  } finally {
    await rm(folder, { recursive: true });
  }
}
