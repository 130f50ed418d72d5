import { extensions } from '../extensions/loaded.ts';
import type { Model } from '../model/model.ts';
import { referenceNames } from '../model/values/references.ts';
import {
  call,
  Field,
  firstNonNull,
  omitIfNull,
  replaceAtPath,
  type Selection,
  type SelectionNode,
  setAtPaths,
} from '../selection/selection.ts';

export interface FetchSelections {
  readonly document: SelectionNode;
  readonly user: Field;
  readonly group: Selection;
  readonly directoryEntry: Selection;
}

type FetchProperties<Needed extends keyof FetchSelections> = Readonly<
  Record<string, (selections: Pick<FetchSelections, Needed>) => Selection>
>;

/** A reference in a list: the id, and the entity with this id. */
interface FetchedItem {
  readonly id: string;
  readonly document?: unknown;
  readonly user?: unknown;
  readonly group?: unknown;
}

/** A list of references in which each id is replaced with its entity. Ids without an entity remain unchanged. */
const fetchedList = (of: Selection): Field =>
  new Field({
    of: { id: true, ...of },
    isOfEntities: true,
    format: (list) =>
      (list as readonly FetchedItem[]).map(
        ({ id, document, user, group }) => document ?? user ?? group ?? { id },
      ),
  });

/** The names that the header `fetch.acls` can contain (§10.1). */
const acls: FetchProperties<'user' | 'group'> = {
  username: ({ user, group }) => ({
    who: firstNonNull({ of: { user, group }, ...replaceAtPath('username') }),
  }),
  creator: ({ user }) => ({ madeBy: new Field({ ...user, ...replaceAtPath('creator') }) }),
  extended: () => ({ notify: new Field({}), comment: new Field({}) }),
};

/** The names that the header `fetch.document` can contain (§10.1), except those that `documentFetchNames` adds. */
const document: Readonly<Record<string, Selection>> = {
  lock: { lockOwner: omitIfNull, lockCreated: omitIfNull },
  versionLabel: { versionLabel: call({ ofVersionsAlone: false }) },
};

/** The names that the header `fetch.task` can contain (§10.2). */
const task: FetchProperties<'document' | 'user' | 'group'> = {
  workflowInitiator: ({ user }) => ({
    initiatorUser: new Field({ ...user, ...replaceAtPath('workflowInitiator') }),
  }),
  targetDocumentIds: ({ document }) => ({ targetDocumentIds: fetchedList({ document }) }),
  actors: ({ user, group }) => {
    const actors = fetchedList({ user, group });
    return { actors, delegatedActors: actors };
  },
};

/** The names that the header `fetch.group` can contain (§10.3). */
const group: Readonly<Record<string, Selection>> = {
  memberUsers: { memberUsers: true },
  memberGroups: { memberGroups: true },
  parentGroups: { parentGroups: true },
};

const workflow: FetchProperties<'document' | 'user'> = {
  initiator: ({ user }) => ({ initiatorUser: new Field({ ...user, ...replaceAtPath('initiator') }) }),
  attachedDocumentIds: ({ document }) => ({ attachedDocumentIds: fetchedList({ document }) }),
};

const repliesSummary: Readonly<Record<string, Selection>> = {
  repliesSummary: { numberOfReplies: true, lastReplyDate: true },
};

type PresentedEntry = Record<string, unknown>;

/** Makes each entry of a chain the `parent` of the previous entry. */
function nestParents(shown: PresentedEntry, chain: unknown): void {
  (chain as readonly PresentedEntry[]).reduce((child, parent) => {
    setAtPaths(child, [[['properties', 'parent'], parent]]);
    return parent;
  }, shown);
}

/** Replaces the id of an entry's parent with the parent itself, and so on up to the root of the hierarchy (§2.4). */
const parentsOf = (of: Selection): Selection => ({
  ancestors: new Field({ of, assign: nestParents, targetPath: ['properties', 'parent'] }),
});

const directoryEntry: FetchProperties<'directoryEntry'> = {
  parent: ({ directoryEntry: of }) => parentsOf(of),
};

/** The names that the header `fetch.schema` can contain (§2.6). */
const schema: Readonly<Record<string, Selection>> = {
  fields: { fields: call({ withConstraints: true }) },
};

const aggregate: FetchProperties<'document' | 'user' | 'directoryEntry'> = {
  key: ({ user, directoryEntry, document }) => ({
    // The parents are also selected, because clients build the label of an entry from them.
    fetchedKey: firstNonNull({
      name: 'reference',
      of: { user, directoryEntry: { ...directoryEntry, ...parentsOf(directoryEntry) }, document },
    }),
  }),
};

/** The fields that each name in `fetch.TYPE` adds to the selection of an entity (§10). */
export const fetchProperties = {
  acls,
  aggregate,
  annotation: repliesSummary,
  comment: repliesSummary,
  document,
  group,
  directoryEntry,
  schema,
  task,
  workflow,
};

/**
 * Returns all names that `fetch.document` can contain, including those for users and groups in ACEs, for properties
 * that refer to entities, and for properties that extensions replace.
 */
export const documentFetchNames = (model: Model): string[] => [
  ...Object.keys(document),
  'username',
  'creator',
  ...referenceNames(model),
  ...extensions().flatMap(({ fetchProperties: added = [] }) => added.map(({ xpath }) => xpath)),
];
