/** An `object` supports `IS NULL` only. */
export type ValueKind = 'string' | 'number' | 'boolean' | 'date' | 'id' | 'object';
