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

/** What an item of a list refers to, and its id. */
interface FetchedItem {
  readonly id: string;
  readonly document?: unknown;
  readonly user?: unknown;
  readonly group?: unknown;
}

/** A list of entities; the id stays where there is no entity. */
const fetchedList = (of: Selection): Field =>
  new Field({
    of: { id: true, ...of },
    isOfEntities: true,
    format: (list) =>
      (list as readonly FetchedItem[]).map(
        ({ id, document, user, group }) => document ?? user ?? group ?? { id },
      ),
  });

/** §10.1 */
const acls: FetchProperties<'user' | 'group'> = {
  username: ({ user, group }) => ({
    who: firstNonNull({ of: { user, group }, ...replaceAtPath('username') }),
  }),
  creator: ({ user }) => ({ madeBy: new Field({ ...user, ...replaceAtPath('creator') }) }),
  extended: () => ({ notify: new Field({}), comment: new Field({}) }),
};

/** §10.1; `documentFetchNames` has the other names. */
const document: Readonly<Record<string, Selection>> = {
  lock: { lockOwner: omitIfNull, lockCreated: omitIfNull },
  versionLabel: { versionLabel: call({ ofVersionsAlone: false }) },
};

/** §10.2 */
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

/** §10.3 */
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

/** Each entry of the chain becomes the `parent` of the one before. */
function nestParents(shown: PresentedEntry, chain: unknown): void {
  (chain as readonly PresentedEntry[]).reduce((child, parent) => {
    setAtPaths(child, [[['properties', 'parent'], parent]]);
    return parent;
  }, shown);
}

/** §2.4: the ids of parents are replaced by their entries, up to the top. */
const parentsOf = (of: Selection): Selection => ({
  ancestors: new Field({ of, assign: nestParents, targetPath: ['properties', 'parent'] }),
});

const directoryEntry: FetchProperties<'directoryEntry'> = {
  parent: ({ directoryEntry: of }) => parentsOf(of),
};

/** §2.6 */
const schema: Readonly<Record<string, Selection>> = {
  fields: { fields: call({ withConstraints: true }) },
};

const aggregate: FetchProperties<'document' | 'user' | 'directoryEntry'> = {
  key: ({ user, directoryEntry, document }) => ({
    // Clients walk up the parents of an entry, for its label.
    fetchedKey: firstNonNull({
      name: 'reference',
      of: { user, directoryEntry: { ...directoryEntry, ...parentsOf(directoryEntry) }, document },
    }),
  }),
};

/** §10: what each name of `fetch.TYPE` adds to the selection of an entity. */
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
 * The names of `fetch.document`: also those of the users and groups of ACEs, and properties that refer to
 * entities.
 */
export const documentFetchNames = (model: Model): string[] => [
  ...Object.keys(document),
  'username',
  'creator',
  ...referenceNames(model),
];
