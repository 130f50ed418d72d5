import { z } from 'zod';
import { type ChainDefinition, chainShape } from './chains/chain-definitions.ts';
import { type PageProviderDefinition, pageProviderShape } from './search/page-provider-definitions.ts';
import { type WorkflowDefinition, workflowShape } from './workflows/definition.ts';

/**
 * The shapes of definitions in the content model. Built-in definitions are TypeScript literals in this folder;
 * contributed definitions are JSON files in MODEL_DIR. `create-model.ts` converts both to the `Model` of `model.ts`.
 */

const names = z.array(z.string());

const scalarTypes = ['string', 'long', 'double', 'boolean', 'date', 'binary', 'blob', 'complex'] as const;

/** The type of a property, as it is named in introspection (§4.6). */
export type ScalarType = (typeof scalarTypes)[number];
export type FieldType = ScalarType | `${ScalarType}[]`;

const fieldType = z.enum([...scalarTypes, ...scalarTypes.map((type) => `${type}[]` as const)], {
  error: (issue) => `${JSON.stringify(issue.input)} is not a field type`,
});

/** The kind of entity that a property refers to by id (§10.1). */
const reference = z.discriminatedUnion('to', [
  z.strictObject({ to: z.enum(['user', 'document']) }),
  z.strictObject({
    to: z.literal('directory'),
    directory: z.string(),
    /**
     * The separator in hierarchical values such as "europe/France", in which the last segment is the id of the entry.
     */
    separator: z.string().min(1).exactOptional(),
    /** Whether fetching a property with a single value returns a list with one entity. */
    isListed: z.literal(true).exactOptional(),
  }),
]);

export type ReferenceTarget = z.infer<typeof reference>;

const length = z.int().min(0);

/** The constraints of a property. A write that violates them fails with 422. */
const constraints = z.strictObject({
  required: z.boolean().exactOptional(),
  /** A regular expression that must match the entire string. */
  pattern: z.string().exactOptional(),
  /** The minimum number of characters (Unicode code points). */
  minLength: length.exactOptional(),
  maxLength: length.exactOptional(),
  /** The maximum number of items in a list. */
  maxItems: length.exactOptional(),
  enum: names.exactOptional(),
  min: z.number().exactOptional(),
  max: z.number().exactOptional(),
});

export type Constraints = z.infer<typeof constraints>;

export interface FieldDefinition {
  type: FieldType;
  /** The sub-fields of a `complex` or `complex[]`. */
  fields?: Fields;
  refersTo?: ReferenceTarget;
  constraints?: Constraints;
  /** Removes the default limit (§8) on the length of a string or on the number of items in a list. */
  long?: boolean;
  /** The value of the property in new documents. */
  default?: string | number | boolean;
}

export type Fields = Readonly<Record<string, FieldDefinition | FieldType>>;

const field: z.ZodType<FieldDefinition | FieldType> = z.lazy(() =>
  z.union([
    fieldType,
    z.strictObject({
      type: fieldType,
      fields: fields.exactOptional(),
      refersTo: reference.exactOptional(),
      constraints: constraints.exactOptional(),
      long: z.boolean().exactOptional(),
      default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
    }),
  ]),
);

const fields = z.record(z.string(), field);

const schema = z.strictObject({
  name: z.string(),
  /** The part of an xpath before the colon; defaults to the name of the schema. */
  prefix: z.string().exactOptional(),
  fields,
});

export type SchemaDefinition = z.infer<typeof schema>;

const facet = z.strictObject({ name: z.string(), schemas: names.exactOptional() });

export type FacetDefinition = z.infer<typeof facet>;

const documentType = z.strictObject({
  name: z.string(),
  /** Required for types in MODEL_DIR, because queries for documents find only types that inherit from Document. */
  parent: z.string(),
  schemas: names.exactOptional(),
  facets: names.exactOptional(),
  /** The document types that clients should offer for children. The server does not enforce this. */
  subtypes: names.exactOptional(),
  /** The URL that is the value of `common:icon` in new documents; defaults to the parent type's icon. */
  icon: z.string().exactOptional(),
});

export type TypeDefinition = Omit<z.infer<typeof documentType>, 'parent'> & { parent?: string };

const csvFile = z.string().regex(/^[\w.-]+\.csv$/, 'is not the name of a CSV file in the same folder');

const directory = z.strictObject({
  name: z.string(),
  schema: z.string(),
  /**
   * The name of the field that contains the id; `id` by default. The field must be a string, or a long if the
   * server generates ids.
   */
  idField: z.string().exactOptional(),
  /** Whether the server assigns the ids of new entries: 1, 2, 3 and so on. */
  generatedId: z.boolean().exactOptional(),
  /** The directory whose entries the field `parent` refers to. */
  parent: z.string().exactOptional(),
  /** Whether only administrators can access the directory. */
  system: z.boolean().exactOptional(),
  /** The types by which `GET /directory?types=` filters directories. A system directory also has the type `system`. */
  types: names.exactOptional(),
  /** The fields whose values are replaced with an empty string in responses. */
  secrets: names.exactOptional(),
  /** The initial entries, or the path of a CSV file that contains them. */
  entries: z.union([csvFile, z.array(z.record(z.string(), z.unknown()))]).exactOptional(),
});

export type DirectoryDefinition = z.infer<typeof directory> & {
  /** String fields for which request bodies can contain a list. The items are joined with commas. */
  joined?: readonly string[];
};

/** A rule that determines which saves automatically create a version (§11). An absent condition matches every save. */
const policy = z.strictObject({
  name: z.string(),
  /** The rank of the policy; 10 by default. If several policies match, the one with the lowest rank applies. */
  order: z.number().exactOptional(),
  /** Whether the version contains the state before an update, or the state after an update or a creation. */
  when: z.enum(['before', 'after']).exactOptional(),
  /** Matches saves for which the caller specifies this source. */
  source: z.string().exactOptional(),
  /** Matches documents with exactly these types; subtypes do not match. */
  types: names.exactOptional(),
  /**
   * Matches documents that have all of these facets, whether the facets are defined by the type or were added to the
   * document.
   */
  facets: names.exactOptional(),
  schemas: names.exactOptional(),
  /** Matches if the previous change was made by another user. */
  byAnother: z.boolean().exactOptional(),
  /** The minimum number of seconds since the previous change. */
  idle: z.number().min(0).exactOptional(),
  increment: z.enum(['NONE', 'MINOR', 'MAJOR']),
});

export type VersioningPolicy = z.infer<typeof policy>;

/** A property for which the database has an additional index. */
const index = z.strictObject({
  /** The xpath of the property, which must be a string, a list of strings, a number or a date. */
  property: z.string(),
});

export const contributedShape = z.strictObject({
  schemas: z.array(schema).exactOptional(),
  facets: z.array(facet).exactOptional(),
  types: z.array(documentType).exactOptional(),
  directories: z.array(directory).exactOptional(),
  versioning: z.array(policy).exactOptional(),
  pageProviders: z.array(pageProviderShape).exactOptional(),
  workflows: z.array(workflowShape).exactOptional(),
  chains: z.array(chainShape).exactOptional(),
  indexes: z.array(index).exactOptional(),
});

export interface ModelDefinition {
  schemas: readonly SchemaDefinition[];
  facets: readonly FacetDefinition[];
  types: readonly TypeDefinition[];
  directories: readonly DirectoryDefinition[];
  versioning: readonly VersioningPolicy[];
  pageProviders: readonly PageProviderDefinition[];
  workflows: readonly WorkflowDefinition[];
  chains: readonly ChainDefinition[];
  indexes: ReadonlyArray<z.infer<typeof index>>;
}
