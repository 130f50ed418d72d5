import { documentAt } from '../../automation/documents/document-at.ts';
import { Invalid, NotFound } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder, Document } from '../../graphql/builder.ts';
import { redactUnreadable } from '../../loaders/acls/access.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { renderDocumentProperties, schemasOf } from '../../loaders/documents/rendered-properties.ts';
import type { Model, Schema } from '../../model/model.ts';
import { unknownName } from '../../near-names.ts';
import { createDocument } from '../../store/documents/create-document.ts';
import { updateDocument } from '../../store/documents/update-document.ts';
import { preconditionArguments } from './precondition-arguments.ts';

interface BusinessObject {
  readonly name: string;
  readonly document: DocumentRow;
}

/** The object name that is valid for documents of any type. */
const general = 'BusinessAdapter';

function namesOf({ types }: Model, type: string): string[] {
  const names: string[] = [];
  for (let name: string | null | undefined = type; name; name = types.get(name)?.parent) names.push(name);
  return [...names, general];
}

const withoutPrefix = (xpath: string): string => xpath.slice(xpath.indexOf(':') + 1);

/** Maps names without prefixes to xpaths. Properties with the same name keep their prefixes. */
function xpathsByName(xpaths: readonly string[]): ReadonlyMap<string, string> {
  const uses = new Map([
    ['id', 1],
    ['type', 1],
  ]);
  for (const name of xpaths.map(withoutPrefix)) uses.set(name, (uses.get(name) ?? 0) + 1);
  const nameOf = (xpath: string): string =>
    uses.get(withoutPrefix(xpath)) === 1 ? withoutPrefix(xpath) : xpath;
  return new Map(xpaths.map((xpath) => [nameOf(xpath), xpath]));
}

function flatten(
  { id, type }: DocumentRow,
  properties: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const named = [...xpathsByName(Object.keys(properties))].map(([name, xpath]) => [name, properties[xpath]]);
  return { id, type, ...Object.fromEntries(named) };
}

const BusinessObjectType = builder.objectRef<BusinessObject>('BusinessObject').implement({
  description: 'A document as a business object.',
  fields: (t) => ({
    name: t.exposeString('name'),
    value: t.field({
      type: 'JSON',
      description: 'The id, the type and the properties of the document, by their names without prefix.',
      resolve: async ({ document }, _, context) =>
        flatten(document, await renderDocumentProperties(document, {}, context)),
    }),
  }),
});

/** @throws NotFound if the document type does not accept the object name */
function requireObjectName({ services: { model } }: Context, type: string, name: string): void {
  const names = namesOf(model, type);
  if (!names.includes(name))
    throw new NotFound(`This document has no business object ${name}; available are ${names.join(', ')}.`);
}

builder.objectField(Document, 'businessObject', (t) =>
  t.field({
    type: BusinessObjectType,
    nullable: true,
    args: { name: t.arg.string({ required: true }) },
    resolve: (document, { name }, context) => {
      requireObjectName(context, document.type, name);
      return { name, document };
    },
  }),
);

const BusinessObjectInput = builder.inputType('BusinessObjectInput', {
  fields: (t) => ({
    entityType: t.string({ description: 'If present, it must be the name of the object.' }),
    value: t.field({
      type: 'JSON',
      required: true,
      description: 'The properties by name or xpath. Absent properties keep their values; null clears them.',
    }),
  }),
});

/**
 * Reads the properties of an object.
 * @throws Invalid if the entity has a different type, or if a name is not in the schemas
 */
function readObject(
  schemas: readonly Schema[],
  name: string,
  { entityType, value }: { readonly entityType?: string | null | undefined; readonly value?: unknown },
): { id: unknown; type: unknown; properties: Record<string, unknown> } {
  if (typeof entityType === 'string' && entityType !== name)
    throw new Invalid(`entity-type must be "${name}"; got "${entityType}".`);
  const { id, type, ...given } = asObject(value, 'value') ?? {};
  const xpaths = schemas.flatMap(({ properties }) => [...properties.values()].map(({ xpath }) => xpath));
  const names = xpathsByName(xpaths);
  const unknown = Object.keys(given).filter((each) => !names.has(each) && !xpaths.includes(each));
  if (unknown.length > 0) throw new Invalid(`value: the document has no property ${unknown.join(', ')}.`);
  const named = Object.entries(given).map(([each, json]) => [names.get(each) ?? each, json]);
  return { id, type, properties: Object.fromEntries(named) };
}

builder.mutationFields((t) => ({
  updateBusinessObject: t.field({
    type: BusinessObjectType,
    description: 'Changes the properties that the business object contains.',
    args: {
      id: t.arg.id(),
      path: t.arg.string(),
      name: t.arg.string({ required: true }),
      object: t.arg({ type: BusinessObjectInput, required: true }),
      ...preconditionArguments,
    },
    resolve: async (_, { id, path, name, object, ifMatch, ifNoneMatch }, context) => {
      const before = await documentAt(context, { id, path });
      requireObjectName(context, before.type, name);
      const { id: uid, type, properties } = readObject(schemasOf(before, context), name, object);
      if (typeof type === 'string' && type !== before.type)
        throw new Invalid(
          `type: the object has the type ${type}, but the document has the type ${before.type}.`,
        );
      const change = {
        uid: typeof uid === 'string' ? uid : undefined,
        properties,
        versioning: context.options.versioning,
      };
      const row = await updateDocument(context, { id: before.id }, change, { ifMatch, ifNoneMatch });
      return { name, document: await redactUnreadable(context.load.access, row) };
    },
  }),
  createBusinessObject: t.field({
    type: BusinessObjectType,
    description:
      'Creates a document. Its type is the type of the object or, if absent, the type that the object is named after.',
    args: {
      parentId: t.arg.id(),
      parentPath: t.arg.string(),
      name: t.arg.string({ required: true }),
      documentName: t.arg.string({ required: true, description: 'The last segment of the path.' }),
      object: t.arg({ type: BusinessObjectInput, required: true }),
    },
    resolve: async (_, { parentId, parentPath, name, documentName, object }, context) => {
      const { options } = context;
      const { model } = context.services;
      const { type = name } = (asObject(object.value, 'value') ?? {}) as { type?: unknown };
      if (typeof type !== 'string' || !model.types.has(type))
        throw new Invalid(unknownName('type', String(type), model.types.keys()));
      requireObjectName(context, type, name);
      const { properties } = readObject(model.schemasOf(type, []), name, object);
      const parent = { id: parentId, path: parentPath };
      const { versioning } = options;
      const row = await createDocument(context, parent, { name: documentName, type, properties, versioning });
      return { name, document: await redactUnreadable(context.load.access, row) };
    },
  }),
}));
