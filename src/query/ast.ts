// The syntax tree of a query (§4.7). The parser of NXQL and page providers produce it.

/** A point in time: a literal, or the time of the query plus an ISO 8601 duration. */
export type Moment =
  | { readonly kind: 'moment'; readonly iso: string }
  | { readonly kind: 'now'; readonly duration?: string };

/** Booleans may also be 0 and 1. */
export type Literal = string | number | boolean | Moment;

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/**
 * A condition on documents. A property is an xpath (`dc:title`, `file:content/name`, `dc:subjects/*`) or an
 * `ecm:` name (`ecm:path`, `ecm:fulltext`). A condition on a list holds if it holds for any element. It never
 * holds for an unset property, so its `not` does; `<>` is `not` around `=`.
 */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      /** Holds if it holds for some element of each list; `correlated` makes it. */
      readonly kind: 'some';
      /** `dc:subjects/*1`: one that a list may lack is unset. */
      readonly elements: readonly string[];
      readonly of: Condition;
    }
  | {
      readonly kind: 'compare';
      readonly property: string;
      readonly op: Comparison;
      readonly value: Literal;
      /** `DATE(property)`: compares the day in UTC. */
      readonly byDay?: true;
    }
  | {
      readonly kind: 'like';
      readonly property: string;
      /** `%` stands for any text, `_` for any character, `\` escapes. */
      readonly pattern: string;
      readonly ignoresCase: boolean;
    }
  | { readonly kind: 'in'; readonly property: string; readonly values: readonly Literal[] }
  | {
      readonly kind: 'between';
      readonly property: string;
      readonly from: Literal;
      readonly to: Literal;
      /** Excludes `to`, as the ranges of aggregates do. */
      readonly isHalfOpen?: true;
      /** As of comparisons. */
      readonly byDay?: true;
    }
  | { readonly kind: 'isNull'; readonly property: string }
  | { readonly kind: 'startsWith'; readonly property: string; readonly prefix: string };

export interface Sort {
  readonly property: string;
  readonly isAscending: boolean;
}

/** A column of the result: a property, or an aggregate function over its values. */
export interface Projection {
  readonly property: string;
  readonly of?: 'count' | 'avg' | 'sum' | 'min' | 'max';
}

export interface Query {
  /** `*` selects documents. */
  readonly select: '*' | readonly Projection[];
  readonly isDistinct?: true;
  /** Includes subtypes; `Document` selects all types. */
  readonly from: readonly string[];
  readonly where?: Condition;
  /** The most significant first; when empty, the order is unspecified but stable. */
  readonly orderBy: readonly Sort[];
}
