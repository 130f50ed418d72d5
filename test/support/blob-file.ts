import { join } from 'node:path';
import { placeOf } from '../../src/blobs/folder-store.ts';
import type { TestServer } from './server.ts';

/** The path of the file in which a server with a folder as blob store keeps the blob with a digest. */
export const blobFile = ({ dataDir }: Pick<TestServer, 'dataDir'>, digest: string): string =>
  join(dataDir, 'blobs', placeOf(digest));
