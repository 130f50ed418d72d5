import { z } from 'zod';
import { type ChainDefinition, chainShape } from './chains/chain-definitions.ts';
import { type PageProviderDefinition, pageProviderShape } from './search/page-provider-definitions.ts';
import { type WorkflowDefinition, workflowShape } from './workflows/definition.ts';

/*
 * The definition of the content model: literals of this folder, and JSON files of MODEL_DIR in the same
 * shapes. `create-model.ts` resolves it into the look-ups of `model.ts`.
 */

const names = z.array(z.string());

const scalarTypes = ['string', 'long', 'double', 'boolean', 'date', 'binary', 'blob', 'complex'] as const;

/** The type of a property, as introspection names it (§4.6). */
export type ScalarType = (typeof scalarTypes)[number];
export type FieldType = ScalarType | `${ScalarType}[]`;

const fieldType = z.enum([...scalarTypes, ...scalarTypes.map((type) => `${type}[]` as const)], {
  error: (issue) => `${JSON.stringify(issue.input)} is no type of field`,
});

/** What the ids in a property refer to (§10.1). */
const reference = z.discriminatedUnion('to', [
  z.strictObject({ to: z.enum(['user', 'document']) }),
  z.strictObject({
    to: z.literal('directory'),
    directory: z.string(),
    /** Set for values such as "europe/France", of which the last segment is the id of the entry. */
    separator: z.string().min(1).exactOptional(),
    /** Whether a fetched single value is presented as a list. */
    isListed: z.literal(true).exactOptional(),
  }),
]);

export type ReferenceTarget = z.infer<typeof reference>;

const length = z.int().min(0);

/** A value that breaks a constraint is answered with 422. */
const constraints = z.strictObject({
  required: z.boolean().exactOptional(),
  /** A regular expression that must match the entire string. */
  pattern: z.string().exactOptional(),
  /** In characters (code points). */
  minLength: length.exactOptional(),
  maxLength: length.exactOptional(),
  /** The most items that a list may have. */
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
  /** Lifts the default limit (§8): of the length of a text, or of the number of items of a list. */
  long?: boolean;
  /** The value in new documents. */
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
  /** The part of xpaths before the colon; the name when absent. */
  prefix: z.string().exactOptional(),
  fields,
});

export type SchemaDefinition = z.infer<typeof schema>;

const facet = z.strictObject({ name: z.string(), schemas: names.exactOptional() });

export type FacetDefinition = z.infer<typeof facet>;

const documentType = z.strictObject({
  name: z.string(),
  /** Required in MODEL_DIR, as no query for documents finds a type that inherits from none. */
  parent: z.string(),
  schemas: names.exactOptional(),
  facets: names.exactOptional(),
  /** Types usually created inside; advice to clients, not enforced. */
  subtypes: names.exactOptional(),
  /** `common:icon` of new documents: an address. That of the parent when absent. */
  icon: z.string().exactOptional(),
});

export type TypeDefinition = Omit<z.infer<typeof documentType>, 'parent'> & { parent?: string };

const csvFile = z.string().regex(/^[\w.-]+\.csv$/, 'is no name of a CSV file beside this one');

const directory = z.strictObject({
  name: z.string(),
  schema: z.string(),
  /** The field of the id: a string, or a long if the server generates ids; `id` when absent. */
  idField: z.string().exactOptional(),
  /** Whether the server numbers new entries, from 1. */
  generatedId: z.boolean().exactOptional(),
  /** The directory whose ids are the values of the field `parent`. */
  parent: z.string().exactOptional(),
  /** Whether only administrators have access. */
  system: z.boolean().exactOptional(),
  /** Selected by `GET /directory?types=`; a system directory has the type `system` too. */
  types: names.exactOptional(),
  /** Fields whose values answers replace by an empty string. */
  secrets: names.exactOptional(),
  /** The initial entries, or the path of a CSV file with a line for each. */
  entries: z.union([csvFile, z.array(z.record(z.string(), z.unknown()))]).exactOptional(),
});

export type DirectoryDefinition = z.infer<typeof directory> & {
  /** Text fields for which a body may give a list, which is joined by commas. */
  joined?: readonly string[];
};

/** Saves that create versions automatically (§11); each absent member matches every save. */
const policy = z.strictObject({
  name: z.string(),
  /** The first matching policy applies, in ascending order; 10 when absent. */
  order: z.number().exactOptional(),
  /** The version is of the state before an update, or of the state after an update or a create. */
  when: z.enum(['before', 'after']).exactOptional(),
  /** The source that the caller names. */
  source: z.string().exactOptional(),
  /** Without their subtypes. */
  types: names.exactOptional(),
  /** Facets of the type or of the document; all are required. */
  facets: names.exactOptional(),
  schemas: names.exactOptional(),
  /** Matches if another user made the last change. */
  byAnother: z.boolean().exactOptional(),
  /** Minimal number of seconds since the last change. */
  idle: z.number().min(0).exactOptional(),
  increment: z.enum(['NONE', 'MINOR', 'MAJOR']),
});

export type VersioningPolicy = z.infer<typeof policy>;

/** A property of which the search index has an index of its own. */
const index = z.strictObject({
  /** Its xpath: a text, a list of texts, a number or a date. */
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
