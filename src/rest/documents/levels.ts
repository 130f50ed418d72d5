import type { EnricherSelections } from '../../enrichers/enricher.ts';
import type { Forms } from '../../selection/compatibility.ts';
import {
  constant,
  Field,
  type NestedKind,
  nestedDocument,
  nestedUser,
  omitIfNull,
  type Selection,
  type SelectionNode,
} from '../../selection/selection.ts';
import { nestedAcls } from '../acls/entities.ts';
import { NestedList } from '../answer/shared-entity.ts';
import { logEntrySelection, logQueryArguments } from '../audit/entities.ts';
import { groupSelection, plainGroup, plainUser, userSelection } from '../authorities/entities.ts';
import { entrySelection, plainEntry } from '../directories/entities.ts';
import type { ResponseShape } from '../request/headers.ts';
import { aggregationsField } from '../search/entities.ts';
import { taskSelection, workflowSelection } from '../workflows/entities.ts';
import { documentSelection, plainDocument } from './entities.ts';

type Level = Readonly<Record<'group' | 'directoryEntry', Selection>>;

/** Entities deeper than `depth` levels have only their fixed fields. */
const plain: Level = { group: plainGroup, directoryEntry: plainEntry };

/** The maximum number of entries in a nested list of documents (§8), on the first level and on deeper levels. */
const maxEntries = { first: 10_000, deeper: 1_000 };

/** Adds the total number of entries to a list that is truncated. */
const resultsCount = new Field({
  assign: (shown, total) => {
    const entries = shown.entries as readonly unknown[];
    if (total !== entries.length) shown.resultsCount = total;
    if (entries instanceof NestedList) entries.setEnvelope(shown, total as number);
  },
});

/** A list of documents without paging fields. */
export const documentListSelection = (document: SelectionNode): Selection => ({
  'entity-type': constant('documents'),
  entries: document,
  resultsCount,
  resultsCountLimit: omitIfNull,
});

const routingOf = (shape: ResponseShape, below: Level) => {
  const inside = { ...below, document: nestedDocument, user: nestedUser };
  return { task: taskSelection(shape, inside), workflow: workflowSelection(shape, inside) };
};

const selectionsOf = (
  shape: ResponseShape,
  forms: Forms,
  below: Level,
  maxDocuments: number,
): EnricherSelections => ({
  ...below,
  forms,
  document: nestedDocument,
  user: nestedUser,
  documents: documentListSelection(nestedDocument),
  acls: nestedAcls(shape, { ...below, user: nestedUser }),
  logEntry: logEntrySelection,
  logFilter: logQueryArguments,
  ...routingOf(below === plain ? { ...shape, fetch: {} } : shape, below),
  maxDocuments,
});

interface Levels extends Level {
  readonly document: Selection;
  readonly listedDocument: Selection;
  readonly user: Selection;
  readonly aggregations: Field;
  readonly task: Selection;
  readonly workflow: Selection;
  readonly nested: ReadonlyArray<Readonly<Record<NestedKind, Selection>>>;
}

/** The selections for each level of nesting (§9). Headers affect only the first `depth` levels. */
export function levelsOf(shape: ResponseShape, forms: Forms): Levels {
  let below = plain;
  const nested = [{ document: plainDocument, user: plainUser }];
  const above: Level = { group: groupSelection(shape), directoryEntry: entrySelection(shape) };
  for (let level = shape.depth; level > 0; level -= 1) {
    const deeper = selectionsOf(shape, forms, below, maxEntries.deeper);
    nested.unshift({ document: documentSelection(shape, deeper), user: userSelection(shape, deeper) });
    below = above;
  }
  const first = selectionsOf(shape, forms, below, maxEntries.first);
  return {
    ...above,
    document: documentSelection(shape, first),
    listedDocument: documentSelection(shape, { ...first, maxDocuments: maxEntries.deeper }),
    user: userSelection(shape, first),
    aggregations: aggregationsField(shape, below),
    ...routingOf(shape, below),
    nested,
  };
}
