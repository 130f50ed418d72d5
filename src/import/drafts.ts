import type { Stats } from 'node:fs';
import { typeDefaults } from '../model/defaults.ts';
import type { Model } from '../model/model.ts';
import { administrator } from '../security/principal.ts';
import { creationProperties } from '../store/documents/dublin-core.ts';
import type { DocumentDraft } from '../store/documents/inserts/insert-documents.ts';
import { type ContentSettings, type FileContent, readContent } from './content.ts';
import type { ImportEntry } from './entries.ts';

/** A document to be created for a file or folder. */
export interface Draft extends DocumentDraft {
  readonly entry: ImportEntry;
  readonly type: 'Folder' | FileContent['type'];
  readonly bytes: number;
}

type FileDates = Pick<Stats, 'birthtime' | 'mtime'>;

/**
 * Returns the creation time of a file. Many file systems do not record it and return 0 or the time at which the file
 * was copied; in that case, the modification time is used.
 */
function created({ birthtime, mtime }: FileDates): Date {
  const isSane = birthtime.getTime() > 0 && birthtime <= mtime;
  return isSane ? birthtime : mtime;
}

export function dates(stats: FileDates): { 'dc:created': string; 'dc:modified': string } {
  // Some file systems report invalid dates.
  const { mtime } = Number.isNaN(stats.mtime.getTime()) ? { mtime: new Date() } : stats;
  const { birthtime } = stats;
  return {
    'dc:created': created({ birthtime, mtime }).toISOString(),
    'dc:modified': mtime.toISOString(),
  };
}

/** Reads a file or folder. The bytes of a file are stored as a blob. @throws Skipped if it cannot be read. */
export async function draftOf(
  { model, user, ...settings }: ContentSettings & { readonly model: Model; readonly user: string },
  entry: ImportEntry,
  name: string,
): Promise<Draft> {
  const { path, file, stats, parentId } = entry;
  const content = stats.isDirectory()
    ? ({ type: 'Folder', properties: {}, bytes: 0 } as const)
    : await readContent(path, file, settings);
  const fileProperties = { 'dc:title': file, ...dates(stats), ...content.properties };
  const properties = {
    ...typeDefaults(model, content.type),
    ...creationProperties(administrator(user), fileProperties['dc:created'], fileProperties),
  };
  return { entry, parentId, name, type: content.type, properties, bytes: content.bytes };
}
