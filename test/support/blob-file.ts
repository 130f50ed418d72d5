import { join } from 'node:path';
import { placeOf } from '../../src/blobs/folder-store.ts';
import type { TestServer } from './server.ts';

/** Where a server that keeps its blobs in a folder has the bytes of a digest. */
export const blobFile = ({ dataDir }: Pick<TestServer, 'dataDir'>, digest: string): string =>
  join(dataDir, 'blobs', placeOf(digest));
