import type { Actionable } from '../actions/subject.ts';
import { send } from '../graphql/client.ts';
import {
  copyDocument,
  deleteDocument,
  moveDocument,
  trashDocument,
  untrashDocument,
  updateDocument,
} from '../graphql/operations.ts';
import { text } from '../texts/text.ts';
import { type Found, runBulk } from './bulk.ts';
import { propertyOf } from './columns.ts';
import { withEach } from './selection.ts';
import { labelsIn, tag, tagsBefore, untag } from './tagging.ts';

type Properties = Readonly<Record<string, unknown>>;

/** The documents to which actions apply, and a function for each action that runs it on these documents. */
export interface Target {
  readonly set: (properties: Properties) => Promise<unknown>;
  readonly tag: (tags: readonly string[]) => Promise<unknown>;
  readonly move: (to: string) => Promise<unknown>;
  readonly copy?: (to: string) => Promise<unknown>;
  readonly exportCsv?: () => Promise<unknown>;
  readonly trash: () => Promise<unknown>;
  readonly restore: () => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

export const parentPath = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** Returns the values of properties in a row, with null for unset properties. */
const valuesIn = (row: Pick<Actionable, 'properties'>, properties: Properties): Properties =>
  Object.fromEntries(Object.keys(properties).map((xpath) => [xpath, propertyOf(row, xpath) ?? null]));

const update = (uid: string, properties: Properties): Promise<unknown> =>
  send(updateDocument, { id: uid, document: { properties } });

interface Placed {
  readonly uid: string;
  readonly path: string;
}

const trashRow = ({ uid }: Placed) => send(trashDocument, { id: uid });
const restoreRow = ({ uid }: Placed) => send(untrashDocument, { id: uid });
const moveBack = ({ uid, path }: Placed) => send(moveDocument, { id: uid, target: parentPath(path) });

/**
 * Targets individual documents, each of which is changed by a separate request. Reversible actions offer to be undone.
 */
export const onRows = (rows: readonly Actionable[]): Target => ({
  set: (properties) =>
    withEach(
      rows,
      ({ uid }) => update(uid, properties),
      text('done.saved'),
      (row) => update(row.uid, valuesIn(row, properties)),
    ),
  tag: async (tags) => {
    const before = await tagsBefore(rows);
    await withEach(
      rows,
      ({ uid }) => tag(uid, tags),
      text('done.tagged'),
      ({ uid }) => untag(uid, tags, before.get(uid)),
    );
  },
  move: (to) =>
    withEach(rows, ({ uid }) => send(moveDocument, { id: uid, target: to }), text('done.moved'), moveBack),
  copy: (to) => withEach(rows, ({ uid }) => send(copyDocument, { id: uid, target: to }), text('done.copied')),
  trash: () => withEach(rows, trashRow, text('done.trashed'), restoreRow),
  restore: () => withEach(rows, restoreRow, text('done.restored'), trashRow),
  remove: () => withEach(rows, ({ uid }) => send(deleteDocument, { id: uid }), text('done.deleted')),
});

/**
 * Targets all results of a list, including documents that are not loaded. The server changes them, and continues
 * after the page has been closed. Reversible actions can be undone for up to a thousand documents.
 */
export const onFound = (found: Found): Target => ({
  set: (properties) =>
    runBulk(found, 'setProperties', text('bulk.set'), properties, (row) =>
      update(row.uid, valuesIn(row, properties)),
    ),
  tag: (tags) =>
    runBulk(
      found,
      'automation',
      text('bulk.tag'),
      { operationId: 'Services.TagDocument', parameters: { tags } },
      ({ uid, properties }) => untag(uid, tags, labelsIn(properties)),
    ),
  move: (target) => runBulk(found, 'move', text('move'), { target }, moveBack),
  exportCsv: () => runBulk(found, 'csvExport', text('search.csv')),
  trash: () => runBulk(found, 'trash', text('trash'), {}, restoreRow),
  restore: () => runBulk(found, 'untrash', text('restore'), {}, trashRow),
  remove: () => runBulk(found, 'deletion', text('delete.title')),
});
