import { rm } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { UseFiles } from './blob-store.ts';

/** Files that are fetched at once. */
const mostFetches = 8;

/** Temporary files of blobs. All that read one share its file, which is deleted when the last is done. */
export function createFetchedFiles(
  fresh: () => string,
  fetch: (digest: string, path: string) => Promise<void>,
) {
  const fetching = pLimit(mostFetches);
  const files = new Map<
    string,
    { readonly path: string; readonly fetched: Promise<void>; readers: number }
  >();

  function open(digest: string) {
    const path = fresh();
    const file = files.get(digest) ?? { path, fetched: fetching(() => fetch(digest, path)), readers: 0 };
    file.readers += 1;
    files.set(digest, file);
    return file;
  }

  return async <Result>(digests: readonly string[], use: UseFiles<Result>): Promise<Result> => {
    const opened = new Map([...new Set(digests)].map((digest) => [digest, open(digest)]));
    try {
      await Promise.all([...opened.values()].map(({ fetched }) => fetched));
      return await use((digest) => opened.get(digest)?.path ?? '');
    } finally {
      for (const [digest, file] of opened) {
        file.readers -= 1;
        if (file.readers > 0) continue;
        files.delete(digest);
        await file.fetched.catch(() => {});
        await rm(file.path, { force: true });
      }
    }
  };
}
