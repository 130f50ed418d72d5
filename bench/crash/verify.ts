import { untrashedName } from '../../src/model/names.ts';
import { answerOf, searchPath } from './ask.ts';
import type { Entry, Seen } from './ledger.ts';
import { place } from './load.ts';
import { shownWorkflow } from './reviews.ts';
import { type Entity, isInTrash, type Shown, shownState } from './state.ts';
import { shownUpload } from './uploads.ts';

const pageSize = 1000;

const concurrency = 8;

async function children(url: string, path: string): Promise<Entity[]> {
  const all: Entity[] = [];
  for (let index = 0; ; index += 1) {
    const page = `pageSize=${pageSize}&currentPageIndex=${index}`;
    const answer = (await answerOf(url, `/path${path}/@children?${page}`)) as
      | { entries: Entity[] }
      | undefined;
    if (!answer) throw new Error(`${path} was listed, but does not exist`);
    all.push(...answer.entries);
    if (answer.entries.length < pageSize) return all;
  }
}

/** Returns the path that a trashed document had before it was trashed. */
export const pathBeforeTrash = (path: string): string => path.split('/').map(untrashedName).join('/');

/**
 * Adds a document's versions. They are requested only if the version label shows that the document has any.
 */
async function withVersions(url: string, entity: Entity): Promise<Shown> {
  if (entity.versionLabel === '') return { ...entity, versions: [] };
  const answer = await answerOf(url, '/automation/Document.GetVersions', { input: entity.uid, params: {} });
  return { ...entity, versions: (answer as { entries: Entity[] }).entries };
}

/** Calls a function for each item, with a limited number of concurrent calls. */
async function forEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const one = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}

/** Reads all documents that appear in lists, and the given entries that are in the trash. */
async function shownDocuments(url: string, entries: readonly Entry[]): Promise<Map<string, Entity>> {
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
  return found;
}

/** Reads the state of all documents in the workers' folders and of all known uploads and workflows, by path. */
export async function readShown(url: string, known: Iterable<Entry>): Promise<Map<string, Seen>> {
  const entries = [...known];
  const of = (sort: Entry['sort']) => entries.filter((entry) => entry.sort === sort);
  const shown = new Map<string, Seen>();
  await forEach(await shownDocuments(url, of('document')), async ([path, document]) => {
    shown.set(path, { uid: document.uid, state: shownState(await withVersions(url, document)) });
  });
  await forEach(of('upload'), async (entry) => {
    const state = await shownUpload(url, entry);
    if (entry.uid !== undefined && state !== undefined) shown.set(entry.path, { uid: entry.uid, state });
  });
  await forEach(of('workflow'), async (entry) => {
    const workflow = await shownWorkflow(url, entry);
    if (workflow) shown.set(entry.path, workflow);
  });
  return shown;
}

/** Checks that searches find exactly those documents in the ledger that are not in the trash. */
export async function searchFaults(url: string, entries: Iterable<Entry>): Promise<string[]> {
  const query = `SELECT * FROM Document WHERE ecm:path STARTSWITH '${place}' AND ecm:isVersion = 0 AND ecm:isTrashed = 0`;
  const found = new Set<string>();
  for (let index = 0; ; index += 1) {
    const page = (await answerOf(url, searchPath(query, pageSize, index))) as { entries: Entity[] };
    for (const { path } of page.entries) if (path.split('/').length > 3) found.add(path);
    if (page.entries.length < pageSize) break;
  }
  const wanted = new Set(
    [...entries]
      .filter(({ sort, acknowledged }) => sort === 'document' && acknowledged && !isInTrash(acknowledged))
      .map(({ path }) => path),
  );
  return [
    ...[...wanted].filter((path) => !found.has(path)).map((path) => `searches do not find ${path}`),
    ...[...found].filter((path) => !wanted.has(path)).map((path) => `searches find ${path}, but should not`),
  ];
}
