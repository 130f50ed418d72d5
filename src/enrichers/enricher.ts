import type { FieldRef } from '@pothos/core';
import type { builder } from '../graphql/builder.ts';
import type { Loaders } from '../loaders/index.ts';
import type { Forms } from '../selection/compatibility.ts';
import type { Arguments, Field, Selection, SelectionNode } from '../selection/selection.ts';

type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

type FieldBuilder<Row> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Row>;

/**
 * The selections that REST uses for entities nested in the enriched entity. For the `depth` header, these entities
 * count as one level deeper (§9). Only the ids of nested documents and users are selected; additional queries then read
 * all documents and users of a response together.
 */
export interface EnricherSelections {
  readonly document: Field;
  readonly user: Field;
  readonly directoryEntry: Selection;
  /** The selection for a list of documents. It includes the total number if the list is truncated. */
  readonly documents: Selection;
  /** The selection for ACLs, including the data that `fetch.acls` adds to ACEs. */
  readonly acls: SelectionNode;
  readonly logEntry: Selection;
  /** The selection for a task, including the data that `fetch.task` adds. */
  readonly task: Selection;
  /** The selection for a workflow, including the data that `fetch.workflow` adds. */
  readonly workflow: Selection;
  readonly logFilter: Arguments;
  /**
   * The parts of a response that have different forms in the contract and in the reference implementation.
   */
  readonly forms: Pick<Forms, 'favorites' | 'breadcrumb' | 'isSingleFetchedAsList'>;
  /** The maximum number of documents in a list. */
  readonly maxDocuments: number;
}

/**
 * Additional data for the entities of a response, which clients request by name with the header `enrichers.TYPE`
 * (§4.9, §9).
 */
export interface Enricher<Row> {
  /** The name used in the header, which is also the key in the response's `contextParameters`. */
  readonly name: string;
  /** Defines the field in the GraphQL schema. */
  readonly field: (t: FieldBuilder<Row>) => FieldRef<SchemaTypes, unknown, 'Object'>;
  /** Returns the part of the field that REST requests select. */
  readonly select: (inside: EnricherSelections) => SelectionNode;
  /**
   * Starts loading the field's data by the ids of the entities while the database rows of the entities are still being
   * read.
   */
  readonly prefetch?: (load: Loaders, ids: readonly string[]) => Promise<unknown>;
}

const defaultLength = 50;

/** The maximum number of documents in a list that an enricher returns (§8). */
export const maxListedDocuments = 10_000;

/** The GraphQL argument `most`, which sets the maximum length of a list. */
export const maxLengthArgument = {
  defaultValue: defaultLength,
  description: `The maximum length of the list, up to ${maxListedDocuments}.`,
};

export const maxLengthOf = (most: number | null | undefined): number =>
  Math.min(Math.max(1, most ?? defaultLength), maxListedDocuments);
