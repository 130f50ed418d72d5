import type { FieldRef } from '@pothos/core';
import type { builder } from '../graphql/builder.ts';
import type { Loaders } from '../loaders/index.ts';
import type { Forms } from '../selection/compatibility.ts';
import type { Arguments, Field, Selection, SelectionNode } from '../selection/selection.ts';

type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

type FieldBuilder<Row> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Row>;

/**
 * Selections for the entities nested in the enriched one, which are one level deeper as regards the header `depth` (§9).
 * Documents and users are selected only as ids; all of a response are then read together in further queries.
 */
export interface EnricherSelections {
  readonly document: Field;
  readonly user: Field;
  readonly directoryEntry: Selection;
  /** The selection of a list of documents, including the total number when the list is not complete. */
  readonly documents: Selection;
  /** The selection of ACLs, including what `fetch.acls` adds to ACEs. */
  readonly acls: SelectionNode;
  readonly logEntry: Selection;
  /** The selection of a task, including what `fetch.task` adds. */
  readonly task: Selection;
  /** The selection of a workflow, including what `fetch.workflow` adds. */
  readonly workflow: Selection;
  readonly logFilter: Arguments;
  /** The selections that differ between the contract and the reference implementation. */
  readonly forms: Pick<Forms, 'favorites' | 'breadcrumb' | 'isSingleFetchedAsList'>;
  /** The maximum length of a list of documents. */
  readonly maxDocuments: number;
}

/** An addition to the entities of a response, which the header `enrichers.TYPE` requests by name (§4.9, §9). */
export interface Enricher<Row> {
  /** The name in the header, and in `contextParameters` of the response. */
  readonly name: string;
  /** Creates the field in the GraphQL schema. */
  readonly field: (t: FieldBuilder<Row>) => FieldRef<SchemaTypes, unknown, 'Object'>;
  /** Returns what REST selects of the field. */
  readonly select: (inside: EnricherSelections) => SelectionNode;
  /** Starts loading the data of the field by the ids of entities, while the rows of the entities are still being read. */
  readonly prefetch?: (load: Loaders, ids: readonly string[]) => Promise<unknown>;
}

const defaultLength = 50;

/** §8: the maximum length of a list of documents in an enricher. */
export const maxListedDocuments = 10_000;

/** The argument `most`: the maximum length of the list. */
export const maxLengthArgument = {
  defaultValue: defaultLength,
  description: `The maximum length of the list, up to ${maxListedDocuments}.`,
};

export const maxLengthOf = (most: number | null | undefined): number =>
  Math.min(Math.max(1, most ?? defaultLength), maxListedDocuments);
