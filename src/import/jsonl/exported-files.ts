import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { DamagedBlob } from '../../blobs/faults.ts';
import { storedFileType } from '../../blobs/media-type.ts';
import { Invalid } from '../../errors.ts';
import { digestAt, linesFile, manifestFile } from '../../export/format.ts';
import { withoutTrailing } from '../../model/trailing.ts';
import { ResolvedBlob } from '../../model/values/stored.ts';
import { readJson, readShape } from './read-shape.ts';

/** A folder that was written by `quire export`. */
interface ExportedFolder {
  readonly folder: string;
  /** The path of the exported document. */
  readonly path: string;
}

/** An export that is being imported. */
export interface ExportedSource extends ExportedFolder {
  /**
   * The path of the document below which to import the export; undefined to import it at its original path.
   */
  readonly to: string | undefined;
}

const manifest = z.object({
  format: z.literal('quire-export'),
  version: z.literal(1, 'this release can read only version 1'),
  path: z.string().startsWith('/', 'does not begin with /'),
});

/**
 * Recognizes an export. @returns undefined for any other folder.
 * @throws Invalid for an export that is incomplete or was written by a newer release.
 */
export async function exportedFolder(folder: string): Promise<ExportedFolder | undefined> {
  const file = join(folder, manifestFile);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) {
    try {
      return { folder, path: readJson(manifest, text).path };
    } catch (error) {
      throw error instanceof Invalid ? new Invalid(`${file}: ${error.message}`) : error;
    }
  }
  const lines = await stat(join(folder, linesFile)).catch(() => undefined);
  if (lines?.isFile())
    throw new Invalid(`${folder} is an incomplete export: it has ${linesFile} but not ${manifestFile}`);
  return undefined;
}

const blobShape = z.object({
  name: z.string().nullish(),
  'mime-type': z.string().nullish(),
  encoding: z.string().nullish(),
  data: z.string(),
});

async function storedBlob(
  blobs: BlobStore,
  folder: string,
  json: object,
  digest: string,
): Promise<ResolvedBlob> {
  const { name = null, 'mime-type': declared, encoding = null, data } = readShape(blobShape, json);
  const renewed = await blobs.renew(digest);
  const length =
    renewed ??
    (
      await blobs.write(createReadStream(join(folder, data)), digest).catch((error: unknown) => {
        if ((error as { code?: unknown }).code === 'ENOENT')
          throw new Invalid(`${data} is missing from the export`);
        if (error instanceof DamagedBlob)
          throw new Invalid(`${data} is damaged: its SHA-256 digest does not match its name`);
        throw error;
      })
    ).length;
  const mimeType = declared ?? (await storedFileType(blobs, digest, { name })).mimeType;
  return new ResolvedBlob({ name, mimeType, encoding, digest, length });
}

async function resolved(blobs: BlobStore, folder: string, value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await resolved(blobs, folder, item));
    return items;
  }
  const { data } = value as { data?: unknown };
  const digest = typeof data === 'string' ? digestAt(data) : undefined;
  if (digest !== undefined) return storedBlob(blobs, folder, value, digest);
  return withFiles(blobs, folder, value as Record<string, unknown>);
}

/**
 * Stores the files that values refer to. @returns the values, in which the files are replaced with the stored blobs.
 * @throws Invalid if a file is missing or damaged.
 */
export async function withFiles(
  blobs: BlobStore,
  folder: string,
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) found[name] = await resolved(blobs, folder, value);
  return found;
}

/** Returns the path at which a document of the export is imported. @throws Invalid if the path is not in the export. */
export function placeIn({ path: top, to }: ExportedSource, path: string): string {
  if (to === undefined) return path;
  if (path !== top && !path.startsWith(`${withoutTrailing(top, '/')}/`))
    throw new Invalid(`path: "${path}" is not below ${top}, the path in ${manifestFile}`);
  const above = top.slice(0, top.lastIndexOf('/'));
  return `${withoutTrailing(to, '/')}${path.slice(above.length)}`;
}
