import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pMap from 'p-map';
import type { BlobStore } from '../blobs/blob-store.ts';
import { BlobMissing } from '../blobs/faults.ts';
import type { Client } from '../db/database.ts';
import { NotFound } from '../errors.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import {
  countLeftOut,
  type ExportedDocument,
  readSubtree,
  readSubtreeDigests,
} from '../loaders/documents/subtree.ts';
import { documentAtPath } from '../loaders/documents/unchecked.ts';
import { commentRootType, typesOfComments } from '../model/comments/comment-tree.ts';
import { newDocumentDefaults } from '../model/defaults.ts';
import { relationFacets } from '../model/facets-of.ts';
import type { Model } from '../model/model.ts';
import { renderProperties } from '../model/values/render-value.ts';
import type { StoredBlob } from '../model/values/stored.ts';
import { localAclName } from '../security/acl.ts';
import type { Services } from '../services.ts';
import { addressOf, type ExportManifest, linesFile, manifestFile } from './format.ts';

const isSet = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0);

/**
 * Returns the JSON of a document in the format that imports accept. Properties that are not set but have a default
 * value are included as null; otherwise an import would set the default value.
 * @param onBlob called for each blob of the document
 */
function exportedLine(
  model: Model,
  { path, type, facets, state, properties: stored, acls }: ExportedDocument,
  onBlob: (blob: StoredBlob) => void,
): Record<string, unknown> {
  const renderBlob = (blob: StoredBlob) => {
    onBlob(blob);
    const { name, mimeType, encoding, digest, length } = blob;
    return { name, 'mime-type': mimeType, encoding, digest, length: String(length), data: addressOf(digest) };
  };
  const properties = Object.entries(renderProperties(model.schemasOf(type, facets), stored, renderBlob));
  const defaults = newDocumentDefaults(model, type, facets);
  const own = facets.filter((facet) => !relationFacets.includes(facet)); // Exports lack related documents and users.
  const aces = acls?.find(({ name }) => name === localAclName)?.aces ?? [];
  return {
    path,
    type,
    ...(own.length > 0 && { facets: own }),
    state,
    properties: Object.fromEntries(properties.filter(([xpath, value]) => isSet(value) || xpath in defaults)),
    ...(aces.length > 0 && { acl: aces.map(({ notify: _, ...ace }) => ace) }),
  };
}

type Exporting = Pick<Services, 'blobs' | 'database' | 'model'>;

interface ExportOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (documents: number, files: number) => void;
}

export interface ExportReport extends ExportManifest {
  /** The digests of files that the blob store does not contain. */
  readonly missing: readonly string[];
}

/**
 * The timeout of the export's transaction, in seconds. A long read-only transaction does no harm except that it delays
 * the cleanup of old row versions.
 */
const maxSeconds = 86_400;

const concurrentFiles = 4;

const concurrentRenewals = 16;

/**
 * Writes a blob to a file, unless the file already exists. @returns false if the blob store does not contain the
 * blob
 */
async function writeBlob(blobs: BlobStore, folder: string, { digest, length }: StoredBlob): Promise<boolean> {
  const file = join(folder, addressOf(digest));
  const size = await stat(file).then(
    (stats) => stats.size,
    () => undefined,
  );
  if (size === length) return true;
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.part`;
  try {
    await pipeline(await blobs.read(digest), createWriteStream(part));
    await rename(part, file);
    return true;
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}

interface ExportTask {
  readonly services: Exporting;
  readonly folder: string;
  readonly root: Pick<DocumentRow, 'repository' | 'id'>;
}

/**
 * Restarts the grace period of all files, so that they are not swept for a day, even if their documents are deleted.
 */
async function renewFiles(
  client: Pick<Client, 'query'>,
  { services: { blobs, model }, root }: ExportTask,
  { signal }: ExportOptions,
): Promise<void> {
  for await (const rows of readSubtreeDigests(client, root, typesOfComments(model)))
    await pMap(rows, ({ digest }) => blobs.renew(digest), { concurrency: concurrentRenewals, signal });
}

/** Writes the JSON line and the files of each document. */
async function writeDocuments(
  client: Pick<Client, 'query'>,
  { services: { blobs, model }, folder, root }: ExportTask,
  { signal, onProgress }: ExportOptions,
) {
  const lines = createWriteStream(join(folder, linesFile));
  const [files, missing] = [new Set<string>(), new Set<string>()];
  let documents = 0;
  try {
    for await (const rows of readSubtree(client, root, typesOfComments(model))) {
      signal.throwIfAborted();
      const found = new Map<string, StoredBlob>();
      const texts = rows.map((row) => {
        const line = exportedLine(
          model,
          row,
          (blob) => files.has(blob.digest) || found.set(blob.digest, blob),
        );
        return `${JSON.stringify(line)}\n`;
      });
      if (!lines.write(texts.join(''))) await once(lines, 'drain');
      const write = async (blob: StoredBlob): Promise<void> => {
        files.add(blob.digest);
        if (!(await writeBlob(blobs, folder, blob))) missing.add(blob.digest);
      };
      await pMap(found.values(), write, { concurrency: concurrentFiles, signal });
      documents += rows.length;
      onProgress(documents, files.size);
    }
  } finally {
    lines.end();
    await once(lines, 'close');
  }
  return { documents, files: files.size, missing: [...missing] };
}

/**
 * Exports a consistent snapshot of a document and all its descendants to a folder. The folder then contains the
 * documents as JSON lines, together with their files. An import can recreate the tree from them.
 * @param folder a folder that is empty, does not exist, or contains an unfinished export
 * @throws NotFound if the document does not exist
 */
export async function exportTree(
  services: Exporting,
  { repository, path, folder }: { repository: string; path: string; folder: string },
  options: ExportOptions,
): Promise<ExportReport> {
  const { database, model } = services;
  return database.transaction(maxSeconds, async (client) => {
    const root = await documentAtPath({ db: client, options: { repository } }, path);
    if (!root) throw new NotFound(`There is no document at ${path} in the repository ${repository}.`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const comments = typesOfComments(model).filter((type) => type !== commentRootType);
    const leftOut = await countLeftOut(client, root, comments);
    const work = { services, folder, root };
    await renewFiles(client, work, options);
    const { missing, ...counts } = await writeDocuments(client, work, options);
    const manifest: ExportManifest = {
      format: 'quire-export',
      version: 1,
      repository,
      path,
      ...counts,
      leftOut,
    };
    await writeFile(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
    return { ...manifest, missing };
  });
}
