// What a query says (§4.7), whoever wrote it: the parser of NXQL, or a page provider that builds it.

/** A point in time: one that was written down, or the moment of the query and an ISO 8601 duration from it. */
export type Moment =
  | { readonly kind: 'moment'; readonly iso: string }
  | { readonly kind: 'now'; readonly duration?: string };

/** A value that properties are compared with. Booleans may also be 0 and 1. */
export type Literal = string | number | boolean | Moment;

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/**
 * What documents are looked for. A property is an xpath (`dc:title`, `file:content/name`, `dc:subjects/*`) or an `ecm:`
 * name (`ecm:path`, `ecm:fulltext`). Of a list, any element does. What is unset equals nothing and is neither less nor
 * more, so that `not` around any such condition holds for it; `<>` is `not` around `=`: of a list, no element.
 */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'compare';
      readonly property: string;
      readonly op: Comparison;
      readonly value: Literal;
      /** `DATE(property)`: only the day counts, in UTC. */
      readonly byDay?: true;
    }
  | {
      readonly kind: 'like';
      readonly property: string;
      /** `%` any text, `_` any character, `\` before one that stands for itself. */
      readonly pattern: string;
      readonly ignoresCase: boolean;
    }
  | { readonly kind: 'in'; readonly property: string; readonly values: readonly Literal[] }
  | {
      readonly kind: 'between';
      readonly property: string;
      readonly from: Literal;
      readonly to: Literal;
      /** Whether the last value is out already, as it is of the ranges of aggregates. */
      readonly isHalfOpen?: true;
    }
  | { readonly kind: 'isNull'; readonly property: string }
  | { readonly kind: 'startsWith'; readonly property: string; readonly prefix: string };

export interface Sort {
  readonly property: string;
  readonly isAscending: boolean;
}

/** A column of an answer that is no list of documents: a property, or what is computed of all values of one. */
export interface Projection {
  readonly property: string;
  readonly of?: 'count' | 'avg' | 'sum' | 'min' | 'max';
}

export interface Query {
  /** Whole documents, or columns. */
  readonly select: '*' | readonly Projection[];
  readonly isDistinct?: true;
  /** Types with their subtypes; `Document` is all. */
  readonly from: readonly string[];
  readonly where?: Condition;
  /** The most significant first; without any, the order is unspecified but always the same. */
  readonly orderBy: readonly Sort[];
}
