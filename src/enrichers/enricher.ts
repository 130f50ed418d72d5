import type { FieldRef } from '@pothos/core';
import type { builder } from '../schema/builder.ts';
import type { Node } from '../selection.ts';

type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

/** How the schema's fields of some entity are made. */
export type Fields<Row> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Row>;

/** Data that an answer has about an entity when `enrichers.TYPE` names it (§9). */
export interface Enricher<Row> {
  /** What the header calls it, and the answer. */
  readonly name: string;
  /** The field by which the schema tells it. */
  readonly field: (t: Fields<Row>) => FieldRef<SchemaTypes, unknown, 'Object'>;
  /** What REST asks of that field. */
  readonly select: Node;
}
