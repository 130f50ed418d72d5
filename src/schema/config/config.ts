import { NotFound } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { ReferenceTarget } from '../../model/definitions.ts';
import { renderFields, renderFieldsInFull, renderSchemas, renderTypes } from '../../model/introspection.ts';
import type { DocumentType, Facet, Model, Property, Schema } from '../../model/model.ts';
import { unknownName } from '../../near-names.ts';

interface ReferringField {
  readonly xpath: string;
  readonly target: ReferenceTarget;
}

const FieldReference = builder.objectRef<ReferringField>('FieldReference').implement({
  description: 'A field whose values are ids.',
  fields: (t) => ({
    xpath: t.exposeString('xpath', {
      description: 'The xpath, in which * stands for any index of a list.',
    }),
    to: t.string({
      description: 'The kind of entity that the ids refer to: user, document or directory.',
      resolve: ({ target }) => target.to,
    }),
    directory: t.string({
      nullable: true,
      resolve: ({ target }) => (target.to === 'directory' ? target.directory : null),
    }),
    separator: t.string({
      nullable: true,
      description: 'The separator between the id of a directory entry and the ids of its parents.',
      resolve: ({ target }) => (target.to === 'directory' ? (target.separator ?? null) : null),
    }),
  }),
});

const referring = (properties: Schema['properties']): ReferringField[] =>
  [...properties.values()].flatMap(({ xpath, refersTo, fields }: Property) => [
    ...(refersTo ? [{ xpath, target: refersTo }] : []),
    ...referring(fields),
  ]);

/** A GraphQL field of schemas that lists the references in the schema, so that clients can build forms. */
const fieldReferences = {
  type: [FieldReference] as [typeof FieldReference],
  description: 'The fields whose values are ids.',
  resolve: ({ properties }: Schema) => referring(properties),
};

interface ChoosingField {
  readonly xpath: string;
  readonly values: readonly string[];
}

const FieldChoices = builder.objectRef<ChoosingField>('FieldChoices').implement({
  description: 'A field with a fixed set of values.',
  fields: (t) => ({
    xpath: t.exposeString('xpath', {
      description: 'The xpath, in which * stands for any index of a list.',
    }),
    values: t.exposeStringList('values', { description: 'The allowed values.' }),
  }),
});

const choosing = (properties: Schema['properties']): ChoosingField[] =>
  [...properties.values()].flatMap(({ xpath, constraints, fields }: Property) => [
    ...(constraints.enum ? [{ xpath, values: constraints.enum }] : []),
    ...choosing(fields),
  ]);

/**
 * A GraphQL field of schemas that lists the allowed values of properties. The constraint itself has only one string as
 * its parameter, which does not show where one value ends and the next one begins.
 */
const fieldChoices = {
  type: [FieldChoices] as [typeof FieldChoices],
  description: 'The fields with a fixed set of values.',
  resolve: ({ properties }: Schema) => choosing(properties),
};

/** §4.6: a schema. */
const SchemaType = builder.objectRef<Schema>('Schema').implement({
  description: 'A set of properties that documents can have.',
  fields: (t) => ({
    name: t.exposeString('name'),
    prefix: t.exposeString('declaredPrefix', { nullable: true }),
    references: t.field(fieldReferences),
    choices: t.field(fieldChoices),
    fields: t.field({
      type: 'JSON',
      description: 'The fields by name, each with its type and, on request, its constraints.',
      args: { withConstraints: t.arg.boolean({ defaultValue: false }) },
      resolve: (schema, { withConstraints }) =>
        withConstraints ? renderFieldsInFull(schema) : renderFields(schema),
    }),
  }),
});

const FacetType = builder.objectRef<Facet>('Facet').implement({
  description: 'A trait of documents, with the schemas that it adds to them.',
  fields: (t) => ({
    name: t.exposeString('name'),
    schemas: t.expose('schemas', { type: [SchemaType] }),
  }),
});

const DocType = builder.objectRef<DocumentType>('DocType').implement({
  description: 'A document type.',
  fields: (t) => ({
    name: t.exposeString('name'),
    parent: t.exposeString('parent', { nullable: true }),
    facets: t.exposeStringList('facets'),
    schemas: t.expose('schemas', { type: [SchemaType] }),
  }),
});

const Schemas = builder.objectRef<Model>('Schemas').implement({
  fields: (t) => ({
    entries: t.field({ type: [SchemaType], resolve: ({ schemas }) => [...schemas.values()] }),
  }),
});

const Facets = builder.objectRef<Model>('Facets').implement({
  fields: (t) => ({ entries: t.field({ type: [FacetType], resolve: ({ facets }) => [...facets.values()] }) }),
});

const DocTypes = builder.objectRef<Model>('DocTypes').implement({
  fields: (t) => ({
    entries: t.field({ type: [DocType], resolve: ({ types }) => [...types.values()] }),
    doctypes: t.field({
      type: 'JSON',
      description: 'The types by name.',
      resolve: renderTypes,
    }),
    schemas: t.field({
      type: 'JSON',
      description: 'The schemas by name.',
      resolve: renderSchemas,
    }),
  }),
});

/**
 * Returns the definition with the given name.
 * @throws NotFound
 */
function contributed<Value>(
  values: ReadonlyMap<string, Value>,
  kind: 'schema' | 'facet' | 'type',
  name: string,
): Value {
  const value = values.get(name);
  if (!value) throw new NotFound(unknownName(kind, name, values.keys()));
  return value;
}

builder.queryFields((t) => ({
  schemas: t.field({ type: Schemas, resolve: (_, __, { services: { model } }) => model }),
  schema: t.field({
    type: SchemaType,
    nullable: true,
    args: { name: t.arg.string({ required: true }) },
    resolve: (_, { name }, { services: { model } }) => contributed(model.schemas, 'schema', name),
  }),
  facets: t.field({ type: Facets, resolve: (_, __, { services: { model } }) => model }),
  facet: t.field({
    type: FacetType,
    nullable: true,
    args: { name: t.arg.string({ required: true }) },
    resolve: (_, { name }, { services: { model } }) => contributed(model.facets, 'facet', name),
  }),
  docTypes: t.field({ type: DocTypes, resolve: (_, __, { services: { model } }) => model }),
  docType: t.field({
    type: DocType,
    nullable: true,
    args: { name: t.arg.string({ required: true }) },
    resolve: (_, { name }, { services: { model } }) => contributed(model.types, 'type', name),
  }),
}));
