import { z } from 'zod';
import { pageProvidersShape } from './contributed-page-providers.ts';
import type { FieldDefinition, FieldType, ModelDefinition } from './definitions.ts';
import { workflowShape } from './workflows/shape.ts';

const scalarTypes = ['string', 'long', 'double', 'boolean', 'date', 'binary', 'blob', 'complex'] as const;

const fieldType = z.enum([...scalarTypes, ...scalarTypes.map((type) => `${type}[]` as const)], {
  error: (issue) => `${JSON.stringify(issue.input)} is no type of field`,
});

const reference = z.discriminatedUnion('to', [
  z.strictObject({ to: z.enum(['user', 'document']) }),
  z.strictObject({
    to: z.literal('directory'),
    directory: z.string(),
    separator: z.string().min(1).exactOptional(),
    isListed: z.literal(true).exactOptional(),
  }),
]);

const length = z.int().min(0);

const constraints = z.strictObject({
  required: z.boolean().exactOptional(),
  pattern: z.string().exactOptional(),
  minLength: length.exactOptional(),
  maxLength: length.exactOptional(),
  enum: z.array(z.string()).exactOptional(),
  min: z.number().exactOptional(),
  max: z.number().exactOptional(),
});

const field: z.ZodType<FieldDefinition | FieldType> = z.lazy(() =>
  z.union([
    fieldType,
    z.strictObject({
      type: fieldType,
      fields: fields.exactOptional(),
      refersTo: reference.exactOptional(),
      constraints: constraints.exactOptional(),
      default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
    }),
  ]),
);

const fields = z.record(z.string(), field);
const names = z.array(z.string());

const csvFile = z.string().regex(/^[\w.-]+\.csv$/, 'is no name of a CSV file beside this one');

const policy = z.strictObject({
  name: z.string(),
  order: z.number().exactOptional(),
  when: z.enum(['before', 'after']).exactOptional(),
  source: z.string().exactOptional(),
  types: names.exactOptional(),
  facets: names.exactOptional(),
  schemas: names.exactOptional(),
  byAnother: z.boolean().exactOptional(),
  idle: z.number().min(0).exactOptional(),
  increment: z.enum(['NONE', 'MINOR', 'MAJOR']),
});

/** A file of MODEL_DIR: any of these lists, and nothing else. */
export const contributedShape: z.ZodType<Partial<ModelDefinition>> = z.strictObject({
  schemas: z
    .array(z.strictObject({ name: z.string(), prefix: z.string().exactOptional(), fields }))
    .exactOptional(),
  facets: z.array(z.strictObject({ name: z.string(), schemas: names.exactOptional() })).exactOptional(),
  types: z
    .array(
      z.strictObject({
        name: z.string(),
        // Required, as a type without a parent would be found by no query for documents.
        parent: z.string(),
        schemas: names.exactOptional(),
        facets: names.exactOptional(),
        subtypes: names.exactOptional(),
      }),
    )
    .exactOptional(),
  directories: z
    .array(
      z.strictObject({
        name: z.string(),
        schema: z.string(),
        idField: z.string().exactOptional(),
        generatedId: z.boolean().exactOptional(),
        parent: z.string().exactOptional(),
        system: z.boolean().exactOptional(),
        types: names.exactOptional(),
        secrets: names.exactOptional(),
        entries: z.union([csvFile, z.array(z.record(z.string(), z.unknown()))]).exactOptional(),
      }),
    )
    .exactOptional(),
  versioning: z.array(policy).exactOptional(),
  pageProviders: pageProvidersShape.exactOptional(),
  workflows: z.array(workflowShape).exactOptional(),
});
