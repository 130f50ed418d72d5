import type { ChainDefinition } from './chains/chain-definitions.ts';
import type {
  Constraints,
  DirectoryDefinition,
  ReferenceTarget,
  ScalarType,
  VersioningPolicy,
} from './definitions.ts';
import type { PageProviderDefinition } from './search/page-provider-definitions.ts';
import type { NodeDefinition, WorkflowDefinition } from './workflows/definition.ts';

export interface Property {
  /** The name within its schema or complex property, such as `title`. */
  readonly name: string;
  /** The path that starts with the schema prefix, such as `dc:title`. The step from a list to its items is `*`. */
  readonly xpath: string;
  readonly type: ScalarType;
  readonly many: boolean;
  /** The sub-fields by name; empty unless the type is `complex`. */
  readonly fields: ReadonlyMap<string, Property>;
  readonly refersTo: ReferenceTarget | undefined;
  /** The constraints from the definition, supplemented with the default limits (§8). */
  readonly constraints: Constraints;
  readonly default: string | number | boolean | undefined;
}

export interface Schema {
  readonly name: string;
  /** The prefix of the xpaths of the schema's properties; the name of the schema if no prefix is declared. */
  readonly prefix: string;
  readonly declaredPrefix: string | undefined;
  /** The top-level properties by name, in the order of declaration. */
  readonly properties: ReadonlyMap<string, Property>;
}

export interface Facet {
  readonly name: string;
  readonly schemas: readonly Schema[];
}

export interface DocumentType {
  readonly name: string;
  readonly parent: string | undefined;
  /** The schemas that the type declares or inherits, and the schemas of its facets. */
  readonly schemas: readonly Schema[];
  /** The facets that the type declares or inherits. */
  readonly facets: readonly string[];
  /** The subtypes that the type declares or, if it does not declare any, inherits. */
  readonly subtypes: readonly string[];
  readonly icon: string | undefined;
}

/** A resolved directory. `DirectoryDefinition` documents the fields with the same names. */
export interface Directory {
  readonly name: string;
  /** The schema of the entries. Unlike in document schemas, xpaths have no prefix. */
  readonly schema: Schema;
  readonly idField: string;
  readonly generatesIds: boolean;
  /** The directory that the field `parent` refers to. */
  readonly parent: string | undefined;
  /** The names of the directories whose `parent` is this one. */
  readonly children: readonly string[];
  readonly isSystem: boolean;
  readonly types: readonly string[];
  readonly secrets: ReadonlySet<string>;
  readonly joined: ReadonlySet<string>;
  readonly entries: DirectoryDefinition['entries'];
  /** The file of a contributed directory; undefined for a built-in one. */
  readonly file: string | undefined;
}

/** A search that clients call by name (§4.7). */
export interface PageProvider extends Readonly<PageProviderDefinition> {
  /** The file of a contributed page provider; undefined for a built-in one. */
  readonly file: string | undefined;
}

/** A sequence of operations that clients call with a single request (§4.7). */
export interface Chain extends ChainDefinition {
  readonly file: string | undefined;
}

/** A workflow, with its nodes by id and the schema of its variables. */
export interface WorkflowModel extends Omit<WorkflowDefinition, 'variables' | 'keeps' | 'nodes'> {
  readonly variables: Schema;
  readonly keeps: ReadonlySet<string>;
  readonly nodes: ReadonlyMap<string, NodeDefinition>;
  readonly start: NodeDefinition;
}

/** The resolved content model. It is built when the server starts, and does not change afterwards. */
export interface Model {
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly facets: ReadonlyMap<string, Facet>;
  readonly types: ReadonlyMap<string, DocumentType>;
  readonly directories: ReadonlyMap<string, Directory>;
  readonly versioning: readonly VersioningPolicy[];
  readonly pageProviders: ReadonlyMap<string, PageProvider>;
  readonly workflows: ReadonlyMap<string, WorkflowModel>;
  readonly chains: ReadonlyMap<string, Chain>;
  /** The properties with an additional database index, each with the contributed file that declares the index. */
  readonly indexes: ReadonlyMap<string, string | undefined>;
  /** Returns the top-level property with the given xpath. */
  property(xpath: string): Property | undefined;
  /**
   * Returns the schemas of a document with the given type and the given additional facets. Returns an empty list if the
   * type is unknown.
   */
  schemasOf(type: string, facets: readonly string[]): readonly Schema[];
}
