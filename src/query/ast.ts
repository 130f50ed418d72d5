// The syntax tree of a query (§4.7). It is produced by the NXQL parser and by page providers.

/** A point in time: a literal, or an ISO 8601 duration that is added to the time of the query. */
export type Moment =
  | { readonly kind: 'moment'; readonly iso: string }
  | { readonly kind: 'now'; readonly duration?: string };

/** A value in a query. Booleans can also be written as 0 and 1. */
export type Literal = string | number | boolean | Moment;

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/**
 * A condition on documents. Its property is an xpath (`dc:title`, `file:content/name`, `dc:subjects/*`) or a name
 * that begins with `ecm:` (`ecm:path`, `ecm:fulltext`). A condition on a list is true if it is true for any
 * element. A condition on a property that is not set is false, so its negation is true; `<>` is the negation of
 * `=`.
 */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      /**
       * True if some combination of elements, one from each list, satisfies `of`. This condition is created only by
       * `correlated`, never by the parser.
       */
      readonly kind: 'some';
      /** The numbered elements, such as `dc:subjects/*1`. The element of an empty list counts as not set. */
      readonly elements: readonly string[];
      readonly of: Condition;
    }
  | {
      readonly kind: 'compare';
      readonly property: string;
      readonly op: Comparison;
      readonly value: Literal;
      /** Set for `DATE(property)`, which compares only the day, in UTC. */
      readonly byDay?: true;
    }
  | {
      readonly kind: 'like';
      readonly property: string;
      /** A LIKE pattern: `%` matches any text, `_` matches any character, `\` escapes the next character. */
      readonly pattern: string;
      readonly ignoresCase: boolean;
    }
  | { readonly kind: 'in'; readonly property: string; readonly values: readonly Literal[] }
  | {
      readonly kind: 'between';
      readonly property: string;
      readonly from: Literal;
      readonly to: Literal;
      /** Whether the range excludes its upper bound `to`, like the ranges of aggregates. */
      readonly isHalfOpen?: true;
      /** Set for `DATE(property)`, which compares only the day, in UTC. */
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
  /** The columns of the result; `*` selects whole documents. */
  readonly select: '*' | readonly Projection[];
  readonly isDistinct?: true;
  /** The document types, which include their subtypes. `Document` selects all types. */
  readonly from: readonly string[];
  readonly where?: Condition;
  /** The sort keys, most significant first. If there are none, the order is unspecified but stable. */
  readonly orderBy: readonly Sort[];
}
