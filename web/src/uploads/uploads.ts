import { useSyncExternalStore } from 'react';
import { refresh, send } from '../graphql/client.ts';
import { createFolder, type ExistingFragment, existingDocument } from '../graphql/operations.ts';
import { attempt } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import { existingFor, isVersionable, keepContent, pathOf } from './existing.ts';
import { persistently } from './persistently.ts';
import { attachFile, importFile, type Sent, sendFile } from './send-file.ts';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  readonly fault?: string;
}

/** A file and the names of the folders that contain it, starting with the dropped folder. */
export interface DroppedFile {
  readonly file: File;
  readonly folders: readonly string[];
}

interface Folder {
  readonly uid: string;
  readonly path: string;
}

/** The number of files to upload at the same time. */
const concurrency = 3;

/** The number of milliseconds between two refreshes of the document list while uploads are running. */
const refreshInterval = 2_000;

let uploads: readonly Upload[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
/** The abort controllers of uploads that can still be canceled, by id. */
const canceling = new Map<number, AbortController>();
/**
 * A controller that is aborted when the user signs out. This also cancels requests that users cannot cancel
 * individually.
 */
let session = new AbortController();

function put(changed: readonly Upload[]): void {
  uploads = changed;
  for (const listener of listeners) listener();
}

/** The user's choice for files whose names are already used by documents in the folder. */
export type ExistingChoice = 'version' | 'both' | 'skip';

interface ExistingQuestion {
  readonly documents: readonly ExistingFragment[];
  readonly answer: (choice: ExistingChoice | 'cancel') => void;
}

let question: ExistingQuestion | undefined;

/** Asks the user what to do with files. @returns the answer; `cancel` if the user closes the dialog */
const askAboutExisting = (documents: readonly ExistingFragment[]): Promise<ExistingChoice | 'cancel'> =>
  new Promise((resolve) => {
    question?.answer('cancel');
    const asked: ExistingQuestion = {
      documents,
      answer: (choice) => {
        if (question === asked) question = undefined;
        resolve(choice);
        put(uploads);
      },
    };
    question = asked;
    put(uploads);
  });

const change = (id: number, changed: Partial<Upload>): void =>
  put(uploads.map((upload) => (upload.id === id ? { ...upload, ...changed } : upload)));

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isUnderWay = ({ state }: Pick<Upload, 'state'>): boolean =>
  state === 'waiting' || state === 'sending';

export const useUploads = (): readonly Upload[] => useSyncExternalStore(listen, () => uploads);

/** Returns the question about existing documents that the user has to answer; undefined if there is none. */
export const useExistingQuestion = (): ExistingQuestion | undefined =>
  useSyncExternalStore(listen, () => question);

/** Removes finished uploads from the panel. */
export const forgetUploads = (): void => put(uploads.filter(isUnderWay));

/** Cancels an upload. This has no effect once the server has received the whole file and is creating its document. */
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
  question = undefined;
  put([]);
}

/**
 * Returns a function that creates a folder below `top`, or returns the folder if it has already been created. All files
 * in a folder share one request; if the request fails, the next file retries it.
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

/**
 * Uploads files into a folder. Each file becomes a document, whose type the server determines from the file's media
 * type.
 */
export async function uploadFiles(into: Folder, files: readonly DroppedFile[]): Promise<void> {
  if (files.length === 0) return;
  const plan = await attempt(() => planFor(into, files));
  if (!plan) return;
  const folderAt = folderCreator(into, session.signal);
  await sendAll(
    plan.files.map((dropped) => ({
      file: dropped.file,
      store: async (receive) => {
        const { path } = await folderAt(dropped.folders);
        const sent = await receive();
        const before = plan.replaced.get(pathOf(into.path, dropped));
        if (before) await persistently(sent.signal, () => keepContent(before));
        await importFile(sent, path, before !== undefined);
      },
    })),
  );
}

/** Uploads a file as the main file of a document. The former file stays in the versions of the document. */
export const replaceFile = (id: string, file: File): Promise<void> =>
  sendAll([
    {
      file,
      store: async (receive) => {
        const sent = await receive();
        const { document } = await persistently(sent.signal, () => send(existingDocument, { id }));
        await persistently(sent.signal, () => keepContent(document));
        await attachFile(sent, id, isVersionable(document));
      },
    },
  ]);

interface Plan {
  readonly files: readonly DroppedFile[];
  /** The documents that get new versions, by path. */
  readonly replaced: ReadonlyMap<string, ExistingFragment>;
}

/** Asks the user about files whose names are already used by documents in the folder. */
async function planFor({ path }: Folder, files: readonly DroppedFile[]): Promise<Plan | undefined> {
  const existing = await existingFor(path, files);
  if (existing.size === 0) return { files, replaced: existing };
  const choice = await askAboutExisting([...existing.values()]);
  if (choice === 'cancel') return undefined;
  if (choice === 'skip')
    return { files: files.filter((file) => !existing.has(pathOf(path, file))), replaced: new Map() };
  return { files, replaced: choice === 'version' ? existing : new Map() };
}

interface Job {
  readonly file: File;
  /** Stores the file in a document. `receive` sends it to the server. */
  readonly store: (receive: () => Promise<Sent>) => Promise<void>;
}

async function sendAll(jobs: readonly Job[]): Promise<void> {
  const queued = jobs.map((job) => {
    lastId += 1;
    return { id: lastId, ...job };
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
      const { id, file, store } = next;
      const signal = canceling.get(id)?.signal;
      if (!signal) continue;
      change(id, { state: 'sending' });
      try {
        await store(async () => {
          const batch = await sendFile(file, { signal, onSent: (sent) => change(id, { sent }) });
          canceling.delete(id);
          return { batch, signal: ended };
        });
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
