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

/** A document as imports read it: unset properties with a default are there. @param onBlob gets its blobs. */
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
  const own = facets.filter((facet) => !relationFacets.includes(facet)); // an export lacks other documents and users
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
  /** Digests of files that the blob store lacks. */
  readonly missing: readonly string[];
}

/** Seconds: a transaction that only reads delays nothing but the removal of old rows. */
const longest = 86_400;

const atOnce = 4;

const renewalsAtOnce = 16;

/** Writes the bytes of a blob, unless they are there. @returns false when the store lacks them. */
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

interface Work {
  readonly services: Exporting;
  readonly folder: string;
  readonly root: Pick<DocumentRow, 'repository' | 'id'>;
}

/** No sweep deletes the files for a day, although their documents may be deleted meanwhile. */
async function renewFiles(
  client: Pick<Client, 'query'>,
  { services: { blobs, model }, root }: Work,
  { signal }: ExportOptions,
): Promise<void> {
  for await (const rows of readSubtreeDigests(client, root, typesOfComments(model)))
    await pMap(rows, ({ digest }) => blobs.renew(digest), { concurrency: renewalsAtOnce, signal });
}

/** Writes the lines and the files of all documents. */
async function writeDocuments(
  client: Pick<Client, 'query'>,
  { services: { blobs, model }, folder, root }: Work,
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
      await pMap(found.values(), write, { concurrency: atOnce, signal });
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
 * Writes a document and everything below into a folder, which an import makes the same tree of: one line for
 * each document, as all of them are at one moment, and their files.
 * @param folder is empty or not there, or has an export that was not finished.
 * @throws NotFound
 */
export async function exportTree(
  services: Exporting,
  { repository, path, folder }: { repository: string; path: string; folder: string },
  options: ExportOptions,
): Promise<ExportReport> {
  const { database, model } = services;
  return database.transaction(longest, async (client) => {
    const root = await documentAtPath({ db: client, options: { repository } }, path);
    if (!root) throw new NotFound(`there is no document ${path} in the repository ${repository}`);
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
