import type { Stats } from 'node:fs';
import type { BlobStore } from '../blobs/blob-store.ts';
import { defaults } from '../model/defaults.ts';
import type { Model } from '../model/model.ts';
import type { StoredProperties } from '../model/stored.ts';
import { administrator } from '../scope.ts';
import { whenCreated } from '../store/dublin-core.ts';
import { type Content, readContent } from './content.ts';
import type { Entry } from './entries.ts';

/** A document that is to be inserted. */
export interface Draft {
  readonly entry: Entry;
  readonly name: string;
  readonly type: 'Folder' | Content['type'];
  readonly properties: StoredProperties;
  readonly bytes: number;
}

type FileDates = Pick<Stats, 'birthtime' | 'mtime'>;

/** When the file was made, as far as its file system knows: many answer 0, or the time of a copy. */
function created({ birthtime, mtime }: FileDates): Date {
  const isSane = birthtime.getTime() > 0 && birthtime <= mtime;
  return isSane ? birthtime : mtime;
}

/** The dates that a document takes over from its file. */
export function dates(stats: FileDates): { 'dc:created': string; 'dc:modified': string } {
  // Some file systems keep dates that no calendar has.
  const { mtime } = Number.isNaN(stats.mtime.getTime()) ? { mtime: new Date() } : stats;
  const { birthtime } = stats;
  return {
    'dc:created': created({ birthtime, mtime }).toISOString(),
    'dc:modified': mtime.toISOString(),
  };
}

/**
 * Reads what an entry becomes; the bytes of a blob are stored by then.
 * @throws Skipped when it cannot be read.
 */
export async function draftOf(
  { model, blobs, user }: { model: Model; blobs: BlobStore; user: string },
  entry: Entry,
  name: string,
): Promise<Draft> {
  const { path, file, stats } = entry;
  const content = stats.isDirectory()
    ? ({ type: 'Folder', properties: {}, bytes: 0 } as const)
    : await readContent(path, file, blobs);
  const given = { 'dc:title': file, ...dates(stats), ...content.properties };
  const properties = {
    ...defaults(model.schemasOf(content.type, [])),
    ...whenCreated(administrator(user), given['dc:created'], given),
  };
  return { entry, name, type: content.type, properties, bytes: content.bytes };
}
