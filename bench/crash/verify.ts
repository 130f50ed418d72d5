import { untrashedName } from '../../src/model/names.ts';
import type { Entry } from './ledger.ts';
import { ask, place } from './load.ts';
import type { Entity, Shown } from './state.ts';

const pageSize = 1000;

/** Documents that are asked for at a time. */
const atATime = 8;

async function answerOf(url: string, path: string, body?: object): Promise<unknown> {
  const response = await ask(url, path, body ? 'POST' : 'GET', body);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function children(url: string, path: string): Promise<Entity[]> {
  const all: Entity[] = [];
  for (let index = 0; ; index += 1) {
    const page = `pageSize=${pageSize}&currentPageIndex=${index}`;
    const answer = (await answerOf(url, `/path${path}/@children?${page}`)) as
      | { entries: Entity[] }
      | undefined;
    if (!answer) throw new Error(`${path} was listed, and is not there`);
    all.push(...answer.entries);
    if (answer.entries.length < pageSize) return all;
  }
}

/** The path of a document in the trash as it was before. */
export const pathBeforeTrash = (path: string): string => path.split('/').map(untrashedName).join('/');

/** With its versions: documents that have none are not asked for any. */
async function withVersions(url: string, entity: Entity): Promise<Shown> {
  if (entity.versionLabel === '') return { ...entity, versions: [] };
  const answer = await answerOf(url, '/automation/Document.GetVersions', { input: entity.uid, params: {} });
  return { ...entity, versions: (answer as { entries: Entity[] }).entries };
}

/** Does something with everything, so many at a time. */
async function forEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const one = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: atATime }, one));
}

/**
 * Every document that the server shows below the workers' folders, by path: those that are listed, and those of the
 * entries that are in the trash, where no list shows them.
 */
export async function readShown(url: string, entries: Iterable<Entry>): Promise<Map<string, Shown>> {
  const found = new Map<string, Entity>();
  const folders = (await children(url, place)).map(({ path }) => path);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const document of await children(url, folder)) {
      found.set(document.path, document);
      if (document.type === 'Folder') folders.push(document.path);
    }
  }
  const listed = new Set([...found.values()].map(({ uid }) => uid));
  await forEach(entries, async ({ uid }) => {
    if (!uid || listed.has(uid)) return;
    const document = (await answerOf(url, `/id/${uid}`)) as Entity | undefined;
    if (!document) return;
    const { isTrashed, path } = document;
    found.set(isTrashed ? pathBeforeTrash(path) : path, document);
  });
  const shown = new Map<string, Shown>();
  await forEach(found, async ([path, document]) => {
    shown.set(path, await withVersions(url, document));
  });
  return shown;
}
