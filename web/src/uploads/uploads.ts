import { useSyncExternalStore } from 'react';
import { refresh, send } from '../graphql/client.ts';
import { createFolder } from '../graphql/operations.ts';
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
/** By which those are canceled that are not over. */
const canceling = new Map<number, AbortController>();
/** Is aborted when the user leaves, for what cannot be canceled, too. */
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

/** Those that are over. */
export const forgetUploads = (): void => put(uploads.filter(isUnderWay));

/** A file that has arrived whole, and of which its document is being made, is not held up any more. */
export function cancelUpload(id: number): void {
  canceling.get(id)?.abort();
  if (canceling.delete(id)) put(uploads.filter((upload) => upload.id !== id));
}

export function cancelUploads(): void {
  for (const id of canceling.keys()) cancelUpload(id);
}

/** The next user of the page sees none of them. */
export function dropUploads(): void {
  session.abort();
  session = new AbortController();
  cancelUploads();
  put([]);
}

/** Makes each folder once, whatever files wait for it; where it fails, again for the files after them. */
function folderMaker(top: Folder, signal: AbortSignal) {
  const made = new Map<string, Promise<Folder>>([['', Promise.resolve(top)]]);
  const folderAt = (names: readonly string[]): Promise<Folder> => {
    const key = names.join('/');
    const known = made.get(key);
    if (known) return known;
    const making = folderAt(names.slice(0, -1)).then(async ({ uid }) => {
      const asked = { parent: uid, title: names.at(-1) ?? '' };
      const { fileManagerCreateFolder } = await persistently(signal, () => send(createFolder, asked));
      const { document } = fileManagerCreateFolder;
      if (!document) throw new Error('the folder was not created');
      return document;
    });
    made.set(key, making);
    making.catch(() => made.delete(key));
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
  const folderAt = folderMaker(into, ended);
  const waiting = [...queued];
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    await new Promise((done) => setTimeout(done, betweenLooks));
    await refresh();
    isLooking = false;
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
        void look();
      } catch (error) {
        canceling.delete(id);
        change(id, { state: 'failed', fault: (error as Error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  await refresh();
}
