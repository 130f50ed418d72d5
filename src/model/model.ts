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
  /** Within its schema or complex property: `title`. */
  readonly name: string;
  /** Such as `dc:title`; the index of list items is a star. */
  readonly xpath: string;
  readonly type: ScalarType;
  readonly many: boolean;
  /** Sub-fields by name; empty unless `complex`. */
  readonly fields: ReadonlyMap<string, Property>;
  readonly refersTo: ReferenceTarget | undefined;
  /** With the default limits (§8) where the definition sets none. */
  readonly constraints: Constraints;
  readonly default: string | number | boolean | undefined;
}

export interface Schema {
  readonly name: string;
  /** Prefix of its xpaths; the name when no prefix is declared. */
  readonly prefix: string;
  readonly declaredPrefix: string | undefined;
  /** By name, in order of declaration. */
  readonly properties: ReadonlyMap<string, Property>;
}

export interface Facet {
  readonly name: string;
  readonly schemas: readonly Schema[];
}

export interface DocumentType {
  readonly name: string;
  readonly parent: string | undefined;
  /** Its own and inherited ones, and those of its facets. */
  readonly schemas: readonly Schema[];
  /** Its own and inherited ones. */
  readonly facets: readonly string[];
  /** Its own, or the inherited ones when it declares none. */
  readonly subtypes: readonly string[];
  readonly icon: string | undefined;
}

/** Members of the same name are described in `definitions.ts`. */
export interface Directory {
  readonly name: string;
  /** Unlike in documents, the xpaths are names without a prefix. */
  readonly schema: Schema;
  readonly idField: string;
  readonly generatesIds: boolean;
  /** The directory that the field `parent` refers to. */
  readonly parent: string | undefined;
  /** Directories whose `parent` is this one. */
  readonly children: readonly string[];
  readonly isSystem: boolean;
  readonly types: readonly string[];
  readonly secrets: ReadonlySet<string>;
  readonly joined: ReadonlySet<string>;
  readonly entries: DirectoryDefinition['entries'];
  /** The contributed file; undefined for the stock model. */
  readonly file: string | undefined;
}

/** A search that clients call by name (§4.7). */
export interface PageProvider extends Readonly<PageProviderDefinition> {
  /** The contributed file; undefined for the stock model. */
  readonly file: string | undefined;
}

/** Operations that clients call as one (§4.7). */
export interface Chain extends ChainDefinition {
  readonly file: string | undefined;
}

/** A workflow with its nodes by id and the schema of its variables. */
export interface WorkflowModel extends Omit<WorkflowDefinition, 'variables' | 'keeps' | 'nodes'> {
  readonly variables: Schema;
  readonly keeps: ReadonlySet<string>;
  readonly nodes: ReadonlyMap<string, NodeDefinition>;
  readonly start: NodeDefinition;
}

/** The resolved content model; built at the start of the server, never changed. */
export interface Model {
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly facets: ReadonlyMap<string, Facet>;
  readonly types: ReadonlyMap<string, DocumentType>;
  readonly directories: ReadonlyMap<string, Directory>;
  readonly versioning: readonly VersioningPolicy[];
  readonly pageProviders: ReadonlyMap<string, PageProvider>;
  readonly workflows: ReadonlyMap<string, WorkflowModel>;
  readonly chains: ReadonlyMap<string, Chain>;
  /** The contributed file of each property with an index of its own, by xpath. */
  readonly indexes: ReadonlyMap<string, string | undefined>;
  /** A top-level property by its xpath. */
  property(xpath: string): Property | undefined;
  /** The schemas of a document, by its type and its own facets; empty for an unknown type. */
  schemasOf(type: string, facets: readonly string[]): readonly Schema[];
}
