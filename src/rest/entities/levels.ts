import type { Inside } from '../../enrichers/enricher.ts';
import {
  constant,
  Field,
  type InsideKind,
  insideDocument,
  insideUser,
  type Node,
  type Selection,
} from '../../selection.ts';
import type { Shape } from '../headers.ts';
import { aclsOf } from './acls.ts';
import { groupOf, plainGroup, plainUser, userOf } from './authorities.ts';
import { entryOf, plainEntry } from './directories.ts';
import { documentOf, plainDocument } from './documents.ts';
import { logEntry, logFilter } from './log-entries.ts';
import { aggregationsOf } from './searches.ts';
import { taskOf, workflowOf } from './workflows.ts';

/** What may be inside of documents, and of each other: 0 levels below what was asked for, 1, and so on. */
type Level = Readonly<Record<'group' | 'directoryEntry', Selection>>;

/** Deeper than `depth`, with their fixed fields only. */
const plain: Level = { group: plainGroup, directoryEntry: plainEntry };

/** §8: documents that a list may have: directly inside the document that was asked for, and anywhere else. */
const most = { first: 1000, deeper: 50 };

/** How many documents there are, where not all of them are shown. */
const resultsCount = new Field({
  join: (shown, total) => {
    if (Number(total) > (shown.entries as readonly unknown[]).length) shown.resultsCount = total;
  },
});

/** Documents that are no page of a longer list. */
export const documentsOf = (document: Node): Selection => ({
  'entity-type': constant('documents'),
  entries: document,
  resultsCount,
});

/** What one level offers to the entities above it. */
const insideOf = (shape: Shape, below: Level, longest: number): Inside => ({
  ...below,
  document: insideDocument,
  user: insideUser,
  documents: documentsOf(insideDocument),
  acls: aclsOf(shape, { ...below, user: insideUser }),
  logEntry,
  logFilter,
  task: taskOf(shape, { ...below, document: insideDocument, user: insideUser }),
  workflow: workflowOf(shape, { ...below, document: insideDocument, user: insideUser }),
  enrichers: below === plain ? [] : (shape.enrichers.document ?? []),
  most: longest,
});

/** Everything that an answer to a shape is made of, level by level. */
export interface Levels extends Level {
  readonly document: Selection;
  /** A document of a list. */
  readonly listed: Selection;
  readonly user: Selection;
  /** What a search tells of all that it finds. */
  readonly aggregations: Field;
  readonly task: Selection;
  readonly workflow: Selection;
  /** Documents and users inside of others, those one level below first. */
  readonly inside: ReadonlyArray<Readonly<Record<InsideKind, Selection>>>;
}

/** §9: the entities that are asked for, and those inside of them, as deep as `depth` says. */
export function levelsOf(shape: Shape): Levels {
  let below = plain;
  const inside = [{ document: plainDocument, user: plainUser }];
  const above = (from: Inside): Level => ({
    group: groupOf(shape),
    directoryEntry: entryOf(shape, from),
  });
  for (let level = shape.depth; level > 0; level -= 1) {
    const deeper = insideOf(shape, below, most.deeper);
    inside.unshift({ document: documentOf(shape, deeper), user: userOf(shape, deeper) });
    below = above(deeper);
  }
  const first = insideOf(shape, below, most.first);
  return {
    ...above(first),
    document: documentOf(shape, first),
    listed: documentOf(shape, { ...first, most: most.deeper }),
    user: userOf(shape, first),
    aggregations: aggregationsOf(shape, below),
    task: first.task,
    workflow: first.workflow,
    inside,
  };
}
