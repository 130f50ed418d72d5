import { useSyncExternalStore } from 'react';
import { refresh, send } from '../graphql/client.ts';
import { createFolder } from '../graphql/operations.ts';
import { text } from '../texts/text.ts';
import { persistently } from './persistently.ts';
import { importFile, sendFile } from './send-file.ts';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  readonly fault?: string;
}

/** A file with the names of the folders that contain it, starting with the folder that was dropped. */
export interface DroppedFile {
  readonly file: File;
  readonly folders: readonly string[];
}

interface Folder {
  readonly uid: string;
  readonly path: string;
}

/** Number of files that are uploaded concurrently. */
const concurrency = 3;

/** Milliseconds between two reloads of the list while uploads run. */
const refreshInterval = 2_000;

let uploads: readonly Upload[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
/** The abort controllers of uploads that can still be canceled, by id. */
const canceling = new Map<number, AbortController>();
/** Aborted when the user signs out; also ends requests that users cannot cancel. */
let session = new AbortController();

function put(changed: readonly Upload[]): void {
  uploads = changed;
  for (const listener of listeners) listener();
}

const change = (id: number, changed: Partial<Upload>): void =>
  put(uploads.map((upload) => (upload.id === id ? { ...upload, ...changed } : upload)));

export const isUnderWay = ({ state }: Pick<Upload, 'state'>): boolean =>
  state === 'waiting' || state === 'sending';

export const useUploads = (): readonly Upload[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );

/** Removes the uploads that have ended from the panel. */
export const forgetUploads = (): void => put(uploads.filter(isUnderWay));

/** Cancels an upload. Has no effect once the whole file has arrived and its document is being created. */
export function cancelUpload(id: number): void {
  canceling.get(id)?.abort();
  if (canceling.delete(id)) put(uploads.filter((upload) => upload.id !== id));
}

export function cancelUploads(): void {
  for (const id of canceling.keys()) cancelUpload(id);
}

/** Cancels and removes all uploads when the user signs out, so that the next user does not see them. */
export function dropUploads(): void {
  session.abort();
  session = new AbortController();
  cancelUploads();
  put([]);
}

/**
 * Returns a function that creates a folder below `top`, or returns the one that it has already created. Files that need
 * the same folder share one request; if it fails, the next file tries again.
 */
function folderCreator(top: Folder, signal: AbortSignal) {
  const folders = new Map<string, Promise<Folder>>([['', Promise.resolve(top)]]);
  const folderAt = (names: readonly string[]): Promise<Folder> => {
    const key = names.join('/');
    const known = folders.get(key);
    if (known) return known;
    const creating = folderAt(names.slice(0, -1)).then(async ({ uid }) => {
      const variables = { parent: uid, title: names.at(-1) ?? '' };
      const { fileManagerCreateFolder } = await persistently(signal, () => send(createFolder, variables));
      const { document } = fileManagerCreateFolder;
      if (!document) throw new Error(text('upload.noFolder', { name: names.at(-1) ?? '' }));
      return document;
    });
    folders.set(key, creating);
    creating.catch(() => folders.delete(key));
    return creating;
  };
  return folderAt;
}

/** Uploads files into a folder. Each becomes a document, whose type the server derives from the type of the file. */
export async function uploadFiles(into: Folder, files: readonly DroppedFile[]): Promise<void> {
  if (files.length === 0) return;
  const queued = files.map(({ file, folders }) => {
    lastId += 1;
    return { id: lastId, file, folders };
  });
  for (const { id } of queued) canceling.set(id, new AbortController());
  put([
    ...uploads,
    ...queued.map(({ id, file }) => ({
      id,
      name: file.name,
      size: file.size,
      sent: 0,
      state: 'waiting' as const,
    })),
  ]);
  const { signal: ended } = session;
  const folderAt = folderCreator(into, ended);
  const waiting = [...queued];
  let isRefreshing = false;
  const refreshSoon = async () => {
    if (isRefreshing) return;
    isRefreshing = true;
    await new Promise((done) => setTimeout(done, refreshInterval));
    await refresh();
    isRefreshing = false;
  };
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, file, folders } = next;
      const signal = canceling.get(id)?.signal;
      if (!signal) continue;
      change(id, { state: 'sending' });
      try {
        const { path } = await folderAt(folders);
        const batch = await sendFile(file, { signal, onSent: (sent) => change(id, { sent }) });
        canceling.delete(id);
        await importFile(path, batch, ended);
        change(id, { state: 'done', sent: file.size });
        void refreshSoon();
      } catch (error) {
        canceling.delete(id);
        change(id, { state: 'failed', fault: (error as Error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, take));
  await refresh();
}
