import { NotFound } from '../../errors.ts';
import { builder, Document } from '../../graphql/builder.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { renderDocumentProperties } from '../../loaders/documents/rendered-properties.ts';
import type { Model } from '../../model/model.ts';

interface BusinessObject {
  readonly name: string;
  readonly document: DocumentRow;
}

/** Of every document. */
const general = 'BusinessAdapter';

function namesOf({ types }: Model, type: string): string[] {
  const names: string[] = [];
  for (let name: string | null | undefined = type; name; name = types.get(name)?.parent) names.push(name);
  return [...names, general];
}

const withoutPrefix = (xpath: string): string => xpath.slice(xpath.indexOf(':') + 1);

/** Xpaths by their names alone; two of one name keep their prefixes. */
export function xpathsByName(xpaths: readonly string[]): ReadonlyMap<string, string> {
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

export const BusinessObjectType = builder.objectRef<BusinessObject>('BusinessObject').implement({
  description: 'A document in the form of an object of an application.',
  fields: (t) => ({
    name: t.exposeString('name'),
    value: t.field({
      type: 'JSON',
      description: 'Its id, its type and its properties, by their names without prefix.',
      resolve: async ({ document }, _, context) =>
        flatten(document, await renderDocumentProperties(document, {}, context)),
    }),
  }),
});

/** @throws NotFound unless the name is one of its type. */
export function requireObjectName({ model }: Context, type: string, name: string): void {
  const names = namesOf(model, type);
  if (!names.includes(name))
    throw new NotFound(`there is no business object ${name} of this document: ${names.join(', ')}`);
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
