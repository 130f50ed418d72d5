import { NotFound } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { renderFields, renderFieldsInFull, renderSchemas, renderTypes } from '../../model/introspection.ts';
import type { DocumentType, Facet, Model, Schema } from '../../model/model.ts';
import { fieldChoices } from './field-choices.ts';
import { fieldReferences } from './field-reference.ts';

/** §4.6 */
const SchemaType = builder.objectRef<Schema>('Schema').implement({
  description: 'A set of properties that documents may have.',
  fields: (t) => ({
    name: t.exposeString('name'),
    prefix: t.exposeString('declaredPrefix', { nullable: true }),
    references: t.field(fieldReferences),
    choices: t.field(fieldChoices),
    fields: t.field({
      type: 'JSON',
      description: 'By name, types alone or with their constraints.',
      args: { withConstraints: t.arg.boolean({ defaultValue: false }) },
      resolve: (schema, { withConstraints }) =>
        withConstraints ? renderFieldsInFull(schema) : renderFields(schema),
    }),
  }),
});

const FacetType = builder.objectRef<Facet>('Facet').implement({
  description: 'A trait of documents, with the schemas it brings.',
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
      description: 'Types by name.',
      resolve: renderTypes,
    }),
    schemas: t.field({
      type: 'JSON',
      description: 'Schemas by name.',
      resolve: renderSchemas,
    }),
  }),
});

/** @throws NotFound */
function contributed<Value>(values: ReadonlyMap<string, Value>, kind: string, name: string): Value {
  const value = values.get(name);
  if (!value) throw new NotFound(`${kind} ${name} was not found`);
  return value;
}

builder.queryFields((t) => ({
  schemas: t.field({ type: Schemas, resolve: (_, __, { model }) => model }),
  schema: t.field({
    type: SchemaType,
    nullable: true,
    args: { name: t.arg.string({ required: true }) },
    resolve: (_, { name }, { model }) => contributed(model.schemas, 'Schema', name),
  }),
  facets: t.field({ type: Facets, resolve: (_, __, { model }) => model }),
  facet: t.field({
    type: FacetType,
    nullable: true,
    args: { name: t.arg.string({ required: true }) },
    resolve: (_, { name }, { model }) => contributed(model.facets, 'Facet', name),
  }),
  docTypes: t.field({ type: DocTypes, resolve: (_, __, { model }) => model }),
  docType: t.field({
    type: DocType,
    nullable: true,
    args: { name: t.arg.string({ required: true }) },
    resolve: (_, { name }, { model }) => contributed(model.types, 'Type', name),
  }),
}));
