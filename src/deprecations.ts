/** Something that a release has declared deprecated (docs/promises.md). */
export interface Deprecation {
  /** The release that declared it, such as `1.2.0`. */
  readonly version: string;
  /** The date of that release, such as `2027-01-31`. */
  readonly since: string;
  /** The earliest date of a release that removes it. */
  readonly sunset: string;
  /** A sentence that names what replaces it. */
  readonly instead: string;
}

/** The deprecated parts of the interfaces. */
export interface Deprecations {
  /** Calls of REST, by their `operationId` in openapi.json. */
  readonly calls: Record<string, Deprecation>;
  /** Headers and query parameters of REST, by their names in openapi.json. */
  readonly parameters: Record<string, Deprecation>;
  /** Fields of GraphQL, as `Type.field`. */
  readonly fields: Record<string, Deprecation>;
  /** Settings, by name. */
  readonly settings: Record<string, Deprecation>;
}

/** Everything that is deprecated now. Each entry is announced wherever it is used. */
export const deprecations: Deprecations = { calls: {}, parameters: {}, fields: {}, settings: {} };

/** A text for the descriptions of interfaces. */
export const deprecationText = ({ version, sunset, instead }: Deprecation): string =>
  `Deprecated since ${version}, and removed on ${sunset} at the earliest. ${instead}`;
