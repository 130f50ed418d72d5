import { join } from 'node:path';
import type { BlobAddress, Config } from '../config.ts';
import type { BlobStore } from './blob-store.ts';
import { openFolderStore } from './folder-store.ts';

type BlobSettings = Pick<Config, 'DATA_DIR' | 'BLOB_STORE' | 'BLOB_STORE_ALSO' | 'BLOB_REDIRECT'>;

/** Opens the store at an address. @throws ConfigError if it cannot be used. */
export async function openStoreAt(
  address: BlobAddress,
  { DATA_DIR, BLOB_REDIRECT }: BlobSettings,
): Promise<BlobStore> {
  if (address === 'folder') return openFolderStore(join(DATA_DIR, 'blobs'));
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store(address, { spool: join(DATA_DIR, 'spool'), isRedirecting: BLOB_REDIRECT });
}

/**
 * Opens the blob store that the settings specify. Creates it if it does not exist.
 * @throws ConfigError if it cannot be used.
 */
export async function openBlobStore(settings: BlobSettings): Promise<BlobStore> {
  const { BLOB_STORE, BLOB_STORE_ALSO } = settings;
  const store = await openStoreAt(BLOB_STORE, settings);
  if (BLOB_STORE_ALSO === undefined) return store;
  const { bothStores } = await import('./both-stores.ts');
  return bothStores(store, await openStoreAt(BLOB_STORE_ALSO, settings));
}
