import { Invalid } from '../errors.ts';
import { toRead } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { StoredValue } from '../model/stored.ts';
import { cleanLabel, labelOf, tagLabel, tagsOf, tagsProperty } from '../model/tags.ts';
import type { Scope } from '../scope.ts';
import { changeByServer } from './change-by-server.ts';
import type { DocumentReference } from './lock-document.ts';
import { type Claim, lockDocuments } from './lock-documents.ts';

/** The tags of a document after a change, or the same list when nothing changes. */
type TagChange = (tags: readonly StoredValue[]) => readonly StoredValue[];

/** Somebody may have written a tag by hand, with a label that is not clean. */
const cleaned = (tag: StoredValue): string => cleanLabel(labelOf(tag) ?? '');

/** @throws Invalid when it is a document that takes no tags. */
function requireTaggable({ model }: Scope, row: DocumentRow): void {
  if (row.isProxy) throw new Invalid(`${row.id} shows another document, which is the one to be tagged`);
  if (!facetsOf(model, row).includes('NXTag'))
    throw new Invalid(`a document of type ${row.type} takes no tags`);
}

async function changeTags(
  scope: Scope,
  { references, needs }: { references: readonly DocumentReference[]; needs: Claim['needs'] },
  change: TagChange,
): Promise<DocumentRow[]> {
  const claims = references.map((reference) => ({ reference, needs }));
  const rows = await lockDocuments(scope, claims, 'NO KEY UPDATE');
  for (const row of rows) requireTaggable(scope, row);
  const changes = [...new Set(rows)].flatMap((row) => {
    const [before, after] = [tagsOf(row.properties), change(tagsOf(row.properties))];
    return after.length === before.length ? [] : [{ row, properties: { [tagsProperty]: [...after] } }];
  });
  const changed = new Map((await changeByServer(scope, changes)).map((row) => [row.id, row]));
  return rows.map((row) => changed.get(row.id) ?? row);
}

/**
 * Tags documents in the caller's name; a label that one has already stays that of whoever put it there. Whoever may
 * read a document may tag it.
 * @param labels as somebody typed them.
 * @returns the documents, in the order of the references.
 * @throws NotFound, Forbidden, Invalid
 */
export async function tagDocuments(
  scope: Scope,
  references: readonly DocumentReference[],
  labels: readonly string[],
): Promise<DocumentRow[]> {
  const wanted = [...new Set(labels.map(tagLabel))];
  return changeTags(scope, { references, needs: toRead }, (tags) => {
    const known = new Set(tags.map(cleaned));
    const added = wanted.filter((label) => !known.has(label));
    return [...tags, ...added.map((label) => ({ label, username: scope.user.id }))];
  });
}

/**
 * Takes labels away from documents, or all when none are named; one that is not there changes nothing.
 * @param labels as somebody typed them.
 * @returns the documents, in the order of the references.
 * @throws NotFound, Forbidden, Invalid
 */
export async function untagDocuments(
  scope: Scope,
  references: readonly DocumentReference[],
  labels?: readonly string[],
): Promise<DocumentRow[]> {
  const gone = labels && new Set(labels.map(tagLabel));
  return changeTags(scope, { references, needs: () => 'Write' }, (tags) =>
    tags.filter((tag) => gone && !gone.has(cleaned(tag))),
  );
}
