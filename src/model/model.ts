import type {
  Constraints,
  DirectoryDefinition,
  Reference,
  ScalarType,
  VersioningPolicy,
} from './definitions.ts';
import type { PageProviderDefinition } from './page-provider-definitions.ts';
import type { WorkflowModel } from './workflows/workflow-model.ts';

/** A property of a schema, or a sub-field of a complex one. */
export interface Property {
  /** The name inside its schema or complex parent: `title`. */
  readonly name: string;
  /** Where it is in a document: `dc:title`; of a list's items, the index is a star. */
  readonly xpath: string;
  readonly type: ScalarType;
  readonly many: boolean;
  /** Sub-fields by name; empty unless `complex`. */
  readonly fields: ReadonlyMap<string, Property>;
  readonly refersTo: Reference | undefined;
  readonly constraints: Constraints;
  readonly default: string | number | boolean | undefined;
}

export interface Schema {
  readonly name: string;
  /** What its xpaths begin with; the name when no prefix is declared. */
  readonly prefix: string;
  /** The declared prefix, absent when there is none. */
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
  /** Its own, those of its facets and all inherited ones. */
  readonly schemas: readonly Schema[];
  /** Its own and all inherited ones. */
  readonly facets: readonly string[];
  /** Its own, or the inherited ones when it declares none. */
  readonly subtypes: readonly string[];
}

/** A directory: what its entries hold, and who may see them. */
export interface Directory {
  readonly name: string;
  /** That of its definition, except that an xpath is the name of the field alone, as entries spell it. */
  readonly schema: Schema;
  /** The field whose value is an entry's id. */
  readonly idField: string;
  /** Whether the server numbers new entries, from 1. */
  readonly generatesIds: boolean;
  /** The directory that the field `parent` refers to. */
  readonly parent: string | undefined;
  /** Directories whose entries have their parents here. */
  readonly children: readonly string[];
  /** Whether it is for administrators only. */
  readonly isSystem: boolean;
  /** A system directory is of the type `system` too. */
  readonly types: readonly string[];
  /** Fields whose values are never shown. */
  readonly secrets: ReadonlySet<string>;
  /** Fields of text that a body may give as a list, whose members are joined by commas. */
  readonly joined: ReadonlySet<string>;
  /** What it starts with, as it is written down. */
  readonly entries: DirectoryDefinition['entries'];
  /** Which file contributes it; none for a stock one. */
  readonly file: string | undefined;
}

/** A search that clients call by name (§4.7). */
export interface PageProvider extends Readonly<PageProviderDefinition> {
  /** Which file contributes it; none for a stock one. */
  readonly file: string | undefined;
}

/** The content model with everything resolved; made once at start, never changed. */
export interface Model {
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly facets: ReadonlyMap<string, Facet>;
  readonly types: ReadonlyMap<string, DocumentType>;
  readonly directories: ReadonlyMap<string, Directory>;
  /** In the order in which they are asked. */
  readonly versioning: readonly VersioningPolicy[];
  readonly pageProviders: ReadonlyMap<string, PageProvider>;
  /** Workflow models, by name. */
  readonly workflows: ReadonlyMap<string, WorkflowModel>;
  /** A top-level property by its xpath, whatever schema declares it. */
  property(xpath: string): Property | undefined;
  /** The schemas of a document: those of its type and of its own facets. An unknown type has none. */
  schemasOf(type: string, facets: readonly string[]): readonly Schema[];
}
