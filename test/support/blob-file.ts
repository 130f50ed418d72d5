import { join } from 'node:path';
import { placeOf } from '../../src/blobs/folder-store.ts';
import type { TestServer } from './server.ts';

/**
 * Returns the path of the file in which a server stores the blob with the given digest. The server must store its blobs
 * in a folder.
 */
export const blobFile = ({ dataDir }: Pick<TestServer, 'dataDir'>, digest: string): string =>
  join(dataDir, 'blobs', placeOf(digest));
