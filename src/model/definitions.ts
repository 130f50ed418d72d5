import type { WorkflowDefinition } from './workflows/definition.ts';

/**
 * The content model as it is written down: by the stock literals of this folder and by the JSON files of
 * MODEL_DIR, in the same shape. `create-model.ts` resolves it into the look-ups of `model.ts`.
 */

import type { PageProviderDefinition } from './page-provider-definitions.ts';

/** A property's type in the words of the introspection endpoints (§4.6). */
export type ScalarType = 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary' | 'blob' | 'complex';
export type FieldType = ScalarType | `${ScalarType}[]`;

/** What the ids held by a property stand for (§10.1). */
export type Reference =
  | { to: 'user' | 'document' }
  /**
   * `separator` marks values such as "europe/France", of which the last segment is the entry's id; `isListed` one
   * value that is shown as a list once it is fetched.
   */
  | { to: 'directory'; directory: string; separator?: string; isListed?: true };

/** Limits on a value; a value that breaks one is answered with 422. */
export interface Constraints {
  required?: boolean;
  /** A regular expression that the whole string matches. */
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  enum?: readonly string[];
  min?: number;
  max?: number;
}

export interface FieldDefinition {
  type: FieldType;
  /** The sub-fields of a `complex` or `complex[]`. */
  fields?: Readonly<Record<string, FieldDefinition | FieldType>>;
  refersTo?: Reference;
  constraints?: Constraints;
  /** The value a new document gets when the request gives none. */
  default?: string | number | boolean;
}

export interface SchemaDefinition {
  name: string;
  /** What stands before the colon of its xpaths; the name, when absent. */
  prefix?: string;
  fields: Readonly<Record<string, FieldDefinition | FieldType>>;
}

export interface FacetDefinition {
  name: string;
  schemas?: readonly string[];
}

export interface TypeDefinition {
  name: string;
  /** The type whose schemas and facets it inherits; none for Document alone. */
  parent?: string;
  schemas?: readonly string[];
  facets?: readonly string[];
  /** Types usually created inside; advice to clients, not a rule. */
  subtypes?: readonly string[];
}

export interface DirectoryDefinition {
  name: string;
  schema: string;
  /** The field whose value is an entry's id: a string, or a long where the server makes the ids; `id` when absent. */
  idField?: string;
  /** The server numbers new entries from 1. */
  generatedId?: boolean;
  /** The directory whose ids stand in the `parent` field of this one's entries. */
  parent?: string;
  /** A system directory is for administrators only. */
  system?: boolean;
  /** What `GET /directory?types=` finds it by; a system directory is of the type `system` too. */
  types?: readonly string[];
  /** Fields whose values are never shown: answers hold an empty string instead. */
  secrets?: readonly string[];
  /** Fields of text that a body may give as a list, whose members are joined by commas. */
  joined?: readonly string[];
  /** What it starts with: entries, or the path of a CSV file with a line for each. */
  entries?: string | readonly Readonly<Record<string, unknown>>[];
}

/** Versions that saves make by themselves (§11): what is not said fits every save. */
export interface VersioningPolicy {
  name: string;
  /** The first policy that fits decides, those of a lower number before the others; 10 when absent. */
  order?: number;
  /** Whether it keeps the state before an update, or after an update or a create; both when absent. */
  when?: 'before' | 'after';
  /** What the header `source` says. */
  source?: string;
  /** One of these, and no type that inherits from them. */
  types?: readonly string[];
  /** All of these, of the type or of the document. */
  facets?: readonly string[];
  schemas?: readonly string[];
  /** Only where somebody else changed the document last. */
  byAnother?: boolean;
  /** Only where the last change is at least so many seconds ago. */
  idle?: number;
  increment: 'NONE' | 'MINOR' | 'MAJOR';
}

export interface ModelDefinition {
  schemas: readonly SchemaDefinition[];
  facets: readonly FacetDefinition[];
  types: readonly TypeDefinition[];
  directories: readonly DirectoryDefinition[];
  versioning: readonly VersioningPolicy[];
  pageProviders: readonly PageProviderDefinition[];
  workflows: readonly WorkflowDefinition[];
}
