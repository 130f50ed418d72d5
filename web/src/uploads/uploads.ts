import { useSyncExternalStore } from 'react';
import { refresh, send } from '../graphql/client.ts';
import { createFolder, importFile } from '../graphql/operations.ts';
import { sendFile } from './send-file.ts';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  readonly fault?: string;
}

/** A file with the folders that it lies in, from where it was dropped. */
export interface DroppedFile {
  readonly file: File;
  readonly folders: readonly string[];
}

interface Folder {
  readonly uid: string;
  readonly path: string;
}

/** Files that are sent at once. */
const atOnce = 3;

/** Milliseconds after which a list shows what has arrived, while more is on its way. */
const betweenLooks = 2_000;

let uploads: readonly Upload[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(id: number, changed: Partial<Upload>): void {
  uploads = uploads.map((upload) => (upload.id === id ? { ...upload, ...changed } : upload));
  for (const listener of listeners) listener();
}

export const useUploads = (): readonly Upload[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );

/** Those that are over. */
export function forgetUploads(): void {
  uploads = uploads.filter(({ state }) => state === 'waiting' || state === 'sending');
  for (const listener of listeners) listener();
}

/** Makes each folder once, whatever files wait for it. */
function folderMaker(top: Folder) {
  const made = new Map<string, Promise<Folder>>([['', Promise.resolve(top)]]);
  const folderAt = (names: readonly string[]): Promise<Folder> => {
    const key = names.join('/');
    const known = made.get(key);
    if (known) return known;
    const making = folderAt(names.slice(0, -1)).then(async ({ uid }) => {
      const answer = await send(createFolder, { parent: uid, title: names.at(-1) ?? '' });
      const { document } = answer.fileManagerCreateFolder;
      if (!document) throw new Error('the folder was not created');
      return document;
    });
    made.set(key, making);
    return making;
  };
  return folderAt;
}

/** Uploads files into a folder, of which each becomes a document of a type that fits it. */
export async function uploadFiles(into: Folder, files: readonly DroppedFile[]): Promise<void> {
  if (files.length === 0) return;
  const queued = files.map(({ file, folders }) => {
    lastId += 1;
    return { id: lastId, file, folders };
  });
  uploads = [
    ...uploads,
    ...queued.map(({ id, file }) => ({
      id,
      name: file.name,
      size: file.size,
      sent: 0,
      state: 'waiting' as const,
    })),
  ];
  const folderAt = folderMaker(into);
  const left = [...queued];
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    await new Promise((done) => setTimeout(done, betweenLooks));
    await refresh();
    isLooking = false;
  };
  const take = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { id, file, folders } = next;
      change(id, { state: 'sending' });
      try {
        const { path } = await folderAt(folders);
        const batch = await sendFile(file, (sent) => change(id, { sent }));
        await send(importFile, { parent: path, batch, file: '0' });
        change(id, { state: 'done', sent: file.size });
        void look();
      } catch (error) {
        change(id, { state: 'failed', fault: (error as Error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  await refresh();
}
