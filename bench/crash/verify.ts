import type { Shown } from './ledger.ts';
import { ask, place } from './load.ts';

const pageSize = 1000;

async function children(url: string, path: string): Promise<Shown[]> {
  const all: Shown[] = [];
  for (let index = 0; ; index += 1) {
    const page = `pageSize=${pageSize}&currentPageIndex=${index}`;
    const response = await ask(url, `/path${path}/@children?${page}`);
    if (!response.ok) throw new Error(`${path}/@children: ${response.status} ${await response.text()}`);
    const { entries } = (await response.json()) as { entries: Shown[] };
    all.push(...entries);
    if (entries.length < pageSize) return all;
  }
}

/** Every document that the server shows below the workers' folders, by path. */
export async function readShown(url: string): Promise<Map<string, Shown>> {
  const shown = new Map<string, Shown>();
  const folders = (await children(url, place)).map(({ path }) => path);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const document of await children(url, folder)) {
      shown.set(document.path, document);
      if (document.type === 'Folder') folders.push(document.path);
    }
  }
  return shown;
}
