import { z } from 'zod';
import { type ChainDefinition, chainShape } from './chains/chain-definitions.ts';
import { type PageProviderDefinition, pageProviderShape } from './search/page-provider-definitions.ts';
import { type WorkflowDefinition, workflowShape } from './workflows/definition.ts';

/*
 * The shapes of definitions of the content model. Stock definitions are literals in this folder, contributed ones
 * JSON files in MODEL_DIR. `create-model.ts` resolves the definitions into the `Model` of `model.ts`.
 */

const names = z.array(z.string());

const scalarTypes = ['string', 'long', 'double', 'boolean', 'date', 'binary', 'blob', 'complex'] as const;

/** The type of a property, as introspection names it (§4.6). */
export type ScalarType = (typeof scalarTypes)[number];
export type FieldType = ScalarType | `${ScalarType}[]`;

const fieldType = z.enum([...scalarTypes, ...scalarTypes.map((type) => `${type}[]` as const)], {
  error: (issue) => `${JSON.stringify(issue.input)} is not a field type`,
});

/** The kind of entity whose id is the value of a property (§10.1). */
const reference = z.discriminatedUnion('to', [
  z.strictObject({ to: z.enum(['user', 'document']) }),
  z.strictObject({
    to: z.literal('directory'),
    directory: z.string(),
    /** The separator in hierarchical values such as "europe/France", whose last segment is the id of the entry. */
    separator: z.string().min(1).exactOptional(),
    /** Whether the fetched entity of a single value is presented as a list with one item. */
    isListed: z.literal(true).exactOptional(),
  }),
]);

export type ReferenceTarget = z.infer<typeof reference>;

const length = z.int().min(0);

/** The constraints of a property. A write that violates one is answered with 422. */
const constraints = z.strictObject({
  required: z.boolean().exactOptional(),
  /** A regular expression that must match the entire string. */
  pattern: z.string().exactOptional(),
  /** The minimum number of characters (Unicode code points). */
  minLength: length.exactOptional(),
  maxLength: length.exactOptional(),
  /** The maximum number of items of a list. */
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
  /** Lifts the default limit (§8) of the length of a string, or of the number of items of a list. */
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
  /** The part of an xpath before the colon; by default the name of the schema. */
  prefix: z.string().exactOptional(),
  fields,
});

export type SchemaDefinition = z.infer<typeof schema>;

const facet = z.strictObject({ name: z.string(), schemas: names.exactOptional() });

export type FacetDefinition = z.infer<typeof facet>;

const documentType = z.strictObject({
  name: z.string(),
  /** Required in MODEL_DIR, because queries for documents find only types that inherit from Document. */
  parent: z.string(),
  schemas: names.exactOptional(),
  facets: names.exactOptional(),
  /** The types that are usually created inside: a hint for clients, which the server does not enforce. */
  subtypes: names.exactOptional(),
  /** The value of `common:icon` of new documents, a URL; by default that of the parent type. */
  icon: z.string().exactOptional(),
});

export type TypeDefinition = Omit<z.infer<typeof documentType>, 'parent'> & { parent?: string };

const csvFile = z.string().regex(/^[\w.-]+\.csv$/, 'is not the name of a CSV file in the same folder');

const directory = z.strictObject({
  name: z.string(),
  schema: z.string(),
  /** The field with the id, which is a string, or a long if the server generates ids; by default `id`. */
  idField: z.string().exactOptional(),
  /** Whether the server assigns the ids of new entries: 1, 2, 3 and so on. */
  generatedId: z.boolean().exactOptional(),
  /** The directory whose entries the field `parent` refers to. */
  parent: z.string().exactOptional(),
  /** Whether only administrators can access the directory. */
  system: z.boolean().exactOptional(),
  /**
   * The types by which `GET /directory?types=` selects directories; a system directory has the type `system` as well.
   */
  types: names.exactOptional(),
  /** The fields whose values are replaced by an empty string in responses. */
  secrets: names.exactOptional(),
  /** The initial entries, or the path of a CSV file that contains them. */
  entries: z.union([csvFile, z.array(z.record(z.string(), z.unknown()))]).exactOptional(),
});

export type DirectoryDefinition = z.infer<typeof directory> & {
  /** String fields that accept a list in a body; the items are joined by commas. */
  joined?: readonly string[];
};

/** A rule about saves that create versions automatically (§11). An absent condition matches every save. */
const policy = z.strictObject({
  name: z.string(),
  /** The rank of the policy; by default 10. The matching policy with the lowest rank applies. */
  order: z.number().exactOptional(),
  /** Whether the version captures the state before an update, or the state after an update or creation. */
  when: z.enum(['before', 'after']).exactOptional(),
  /** Matches saves for which the caller names this source. */
  source: z.string().exactOptional(),
  /** Matches documents of these types; subtypes do not match. */
  types: names.exactOptional(),
  /** Matches documents that have all these facets, by their type or individually. */
  facets: names.exactOptional(),
  schemas: names.exactOptional(),
  /** Matches if another user made the previous change. */
  byAnother: z.boolean().exactOptional(),
  /** The minimum number of seconds since the previous change. */
  idle: z.number().min(0).exactOptional(),
  increment: z.enum(['NONE', 'MINOR', 'MAJOR']),
});

export type VersioningPolicy = z.infer<typeof policy>;

/** A property for which the database has an additional index. */
const index = z.strictObject({
  /** The xpath of a string, a list of strings, a number or a date. */
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
