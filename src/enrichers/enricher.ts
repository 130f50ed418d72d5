import type { FieldRef } from '@pothos/core';
import type { builder } from '../schema/builder.ts';
import type { Arguments, Field, Node, Selection } from '../selection.ts';

type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

/** How the schema's fields of some entity are made. */
export type Fields<Row> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Row>;

/**
 * The entities that an answer may hold inside the one that is enriched: a level further down, as `depth` has it (§9).
 * Documents and users inside are asked for when all of them are known, wherever they are.
 */
export interface Inside {
  readonly document: Node;
  readonly user: Field;
  readonly directoryEntry: Selection;
  /** A list of documents that says how many there are, when it was cut. */
  readonly documents: Selection;
  /** ACLs, with what `fetch.acls` adds to their ACEs. */
  readonly acls: Node;
  readonly logEntry: Selection;
  /** With what `fetch.task` and `fetch.workflow` name. */
  readonly task: Selection;
  readonly workflow: Selection;
  /** Which log entries the request wants. */
  readonly logFilter: Arguments;
  /** By which the documents inside are enriched themselves. */
  readonly enrichers: readonly string[];
  /** Documents that a list of them may have. */
  readonly most: number;
}

/** Data that an answer has about an entity when `enrichers.TYPE` names it (§9). */
export interface Enricher<Row> {
  /** What the header calls it, and the answer. */
  readonly name: string;
  /** The field by which the schema tells it. */
  readonly field: (t: Fields<Row>) => FieldRef<SchemaTypes, unknown, 'Object'>;
  /** What REST asks of that field. */
  readonly select: (inside: Inside) => Node;
}
