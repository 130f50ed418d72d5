/** The kind of a property's values in queries. An `object`, such as a blob, supports only `IS NULL`. */
export type ValueKind = 'string' | 'number' | 'boolean' | 'date' | 'id' | 'object';
