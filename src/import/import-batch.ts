import { facetsOf } from '../model/facets-of.ts';
import { concurrently } from './concurrently.ts';
import { type Draft, draftOf } from './drafts.ts';
import type { Entry } from './entries.ts';
import { type Inserted, insertDrafts } from './insert-drafts.ts';
import { chosenName } from './names.ts';
import { Skipped } from './skipped.ts';
import type { State } from './state.ts';
import { type Child, storedChildren } from './stored-children.ts';

/** Files read at a time: most of it is waiting for the disk to have written a blob. */
const readers = 16;

/** Lets an entry be that has a document; a folder's own entries may still be missing. */
function keep({ scope, counts, skip, pending }: State, { path, stats }: Entry, child: Child): void {
  const isFolder = facetsOf(scope.model, child).includes('Folderish');
  if (isFolder !== stats.isDirectory()) {
    skip(path, `the document of that name is a ${child.type}`);
    return;
  }
  counts.kept += 1;
  if (isFolder) pending.push({ path, id: child.id });
}

/** Reads those of a batch that are not stored yet. */
async function draftsOf(state: State, batch: readonly Entry[]): Promise<Draft[]> {
  const { scope, skip } = state;
  const places = batch.flatMap(({ parentId, claim }) =>
    [claim.name, ...(claim.rivals.length > 1 ? [claim.spare] : [])].map((name) => ({ parentId, name })),
  );
  const childAt = await storedChildren(scope.database, scope.repository, places);
  const drafts = await concurrently(batch, readers, async (entry) => {
    const { parentId, file, claim } = entry;
    const name = chosenName(file, claim, childAt({ parentId, name: claim.name })?.title);
    const child = childAt({ parentId, name });
    if (child) return keep(state, entry, child);
    try {
      return await draftOf(scope, entry, name);
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      return skip(entry.path, error.message);
    }
  });
  return drafts.filter((draft) => draft !== undefined);
}

function settle(state: State, result: Inserted): void {
  const { entry, type, bytes } = result.draft;
  if ('reason' in result) state.skip(entry.path, result.reason);
  else if ('existing' in result) keep(state, entry, result.existing);
  else {
    state.counts.created[type] += 1;
    state.counts.bytes += bytes;
    if (type === 'Folder') state.pending.push({ path: entry.path, id: result.id });
  }
}

/** Imports entries whose folders are stored, in one transaction; the folders among them become pending. */
export async function importBatch(state: State, batch: readonly Entry[]): Promise<void> {
  const { database, seconds } = state.scope;
  const drafts = await draftsOf(state, batch);
  const results =
    drafts.length > 0
      ? await database.transaction(seconds, (client) => insertDrafts(client, state.scope, drafts))
      : [];
  for (const result of results) settle(state, result);
  state.progress();
}
