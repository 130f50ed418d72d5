import type { FieldRef } from '@pothos/core';
import type { builder } from '../graphql/builder.ts';
import type { Loaders } from '../loaders/index.ts';
import type { Forms } from '../selection/compatibility.ts';
import type { Arguments, Field, Selection, SelectionNode } from '../selection/selection.ts';

type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

type FieldBuilder<Row> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Row>;

/**
 * Selections of the entities inside the enriched one, which are a level deeper for the header `depth` (§9).
 * Documents and users are only ids, and are read in further queries, together with all others of the answer.
 */
export interface EnricherSelections {
  readonly document: Field;
  readonly user: Field;
  readonly directoryEntry: Selection;
  /** With the total number, where a list is not complete. */
  readonly documents: Selection;
  /** With what `fetch.acls` adds to ACEs. */
  readonly acls: SelectionNode;
  readonly logEntry: Selection;
  /** With what `fetch.task` adds. */
  readonly task: Selection;
  /** With what `fetch.workflow` adds. */
  readonly workflow: Selection;
  readonly logFilter: Arguments;
  /** What the contract and the reference implementation answer differently. */
  readonly forms: Pick<Forms, 'favorites' | 'breadcrumb' | 'isSingleFetchedAsList'>;
  /** The maximum length of a list of documents. */
  readonly maxDocuments: number;
}

/** What an answer adds to an entity when the header `enrichers.TYPE` names it (§4.9, §9). */
export interface Enricher<Row> {
  /** In the header, and in `contextParameters` of the answer. */
  readonly name: string;
  /** The field of the GraphQL schema. */
  readonly field: (t: FieldBuilder<Row>) => FieldRef<SchemaTypes, unknown, 'Object'>;
  /** What REST selects of the field. */
  readonly select: (inside: EnricherSelections) => SelectionNode;
  /** Loads what the field reads by ids of entities, while their rows are still being read. */
  readonly prefetch?: (load: Loaders, ids: readonly string[]) => Promise<unknown>;
}

const usualMost = 50;

/** §8: the greatest length of a list of documents directly under the addressed document. */
export const maxListedDocuments = 10_000;

export const mostArgument = { defaultValue: usualMost, description: `At most ${maxListedDocuments}.` };

export const mostOf = (given: number | null | undefined): number =>
  Math.min(Math.max(1, given ?? usualMost), maxListedDocuments);
