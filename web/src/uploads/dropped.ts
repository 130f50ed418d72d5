import type { DirectoryDropItem, DropItem, FileDropItem } from 'react-aria-components';
import type { DroppedFile } from './uploads.ts';

type Entry = FileDropItem | DirectoryDropItem;

async function below(entry: Entry, folders: readonly string[]): Promise<DroppedFile[]> {
  if (entry.kind === 'file') return [{ file: await entry.getFile(), folders }];
  const found: DroppedFile[] = [];
  for await (const each of entry.getEntries()) found.push(...(await below(each, [...folders, entry.name])));
  return found;
}

/** All files that were dropped, those in folders with their folders. */
export async function droppedFiles(items: readonly DropItem[]): Promise<DroppedFile[]> {
  const entries = items.filter((item): item is Entry => item.kind !== 'text');
  return (await Promise.all(entries.map((entry) => below(entry, [])))).flat();
}

/** Files that were chosen in a dialog; of a chosen folder with their folders. */
export const chosenFiles = (files: FileList): DroppedFile[] =>
  [...files].map((file) => ({
    file,
    folders: file.webkitRelativePath.split('/').slice(0, -1).filter(Boolean),
  }));
