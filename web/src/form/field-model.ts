import type { ModelQuery } from '../graphql/operations.ts';

export type FieldKind = 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary' | 'blob' | 'complex';

type Schema = ModelQuery['schemas']['entries'][number];
type Reference = Schema['references'][number];

/** A field of a schema, with all the information that a form needs about it. */
export interface FieldModel {
  /**
   * The name of the field. It has the schema's prefix for a field of a schema (`dc:title`), and no prefix for a part of
   * a complex value.
   */
  readonly name: string;
  readonly kind: FieldKind;
  readonly isList: boolean;
  /** The parts of a complex value; empty for other kinds. */
  readonly parts: readonly FieldModel[];
  readonly isRequired: boolean;
  /** The allowed values, if the schema lists them. */
  readonly choices: readonly string[] | undefined;
  readonly reference: Reference | undefined;
}

interface RawConstraint {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface RawField {
  readonly type: string;
  readonly fields?: Readonly<Record<string, RawField>>;
  readonly constraints?: readonly RawConstraint[];
  readonly itemConstraints?: readonly RawConstraint[];
}

type FieldInfo = Pick<Schema, 'references' | 'choices'>;

function readField(name: string, xpath: string, raw: RawField, info: FieldInfo): FieldModel {
  const isList = raw.type.endsWith('[]');
  const kind = (isList ? raw.type.slice(0, -2) : raw.type) as FieldKind;
  const constraints = [...(raw.constraints ?? []), ...(raw.itemConstraints ?? [])];
  const below = isList ? `${xpath}/*` : xpath;
  return {
    name,
    kind,
    isList,
    parts: Object.entries(raw.fields ?? {}).map(([part, field]) =>
      readField(part, `${below}/${part}`, field, info),
    ),
    isRequired: constraints.some((each) => each.name === 'NotNullConstraint'),
    choices: info.choices.find((each) => each.xpath === xpath)?.values,
    reference: info.references.find((each) => each.xpath === xpath),
  };
}

export const bareName = (name: string): string => name.replace(/^[^:]*:/, '');

/** Removes the schema prefix from the name of a field, for forms that show only one schema. */
export const withoutPrefix = (field: FieldModel): FieldModel => ({ ...field, name: bareName(field.name) });

export interface SchemaModel {
  readonly name: string;
  readonly fields: readonly FieldModel[];
}

export const schemaModel = ({ name, prefix, fields, ...info }: Schema): SchemaModel => ({
  name,
  fields: Object.entries(fields as Record<string, RawField>).map(([field, raw]) => {
    const xpath = `${prefix ?? name}:${field}`;
    return readField(xpath, xpath, raw, info);
  }),
});

/** The fields that only the server can set. */
const managedFields = new Set([
  'dc:created',
  'dc:modified',
  'dc:creator',
  'dc:lastContributor',
  'dc:contributors',
  'common:icon',
  'common:icon-expanded',
  'common:size',
]);

/** The schemas that only the server can write to. Their data is shown in other parts of the page. */
const managedSchemas = new Set([
  'uid',
  'common',
  'collectionMember',
  'facetedTag',
  'relatedtext',
  'publishing',
  'picture',
  'image_metadata',
  'iptc',
  'vid',
  'video',
  'storyboard',
  'audio',
  'thumbnail',
  'webcontainer',
  'collection',
  'notification',
]);

/** The formats of a note. New notes have the first format, whose editor has a toolbar. */
const noteFormats = ['text/markdown', 'text/plain', 'text/html'] as const;

/** The values with which the console creates documents, by field. The server would leave these fields empty. */
export const initialValues: Readonly<Record<string, unknown>> = { 'note:mime_type': noteFormats[0] };

/**
 * Adapts a field to the console, where every document needs a title, and notes can have only certain formats.
 */
function inConsole(field: FieldModel): FieldModel {
  if (field.name === 'dc:title') return { ...field, isRequired: true };
  if (field.name === 'note:mime_type') return { ...field, choices: noteFormats };
  return field;
}

/** Returns the schemas with only the fields that users can edit. Schemas without such fields are omitted. */
export const editable = (schemas: readonly SchemaModel[]): SchemaModel[] =>
  schemas
    .filter(({ name }) => !managedSchemas.has(name))
    .map(({ name, fields }) => ({
      name,
      fields: fields.filter((field) => !managedFields.has(field.name)).map(inConsole),
    }))
    .filter(({ fields }) => fields.length > 0);

/** The fields that a form shows first: the title and the content. */
const leading = ['dc:title', 'note:note', 'note:mime_type', 'file:content', 'dc:description'];

/** The fields of a note that a form shows large, next to all others. */
const writing = ['dc:title', 'note:note'];

/**
 * Returns the schemas in the order in which a form shows them, preceded by a section for the title and the content. A
 * note begins with a section for writing.
 */
export function formSections(schemas: readonly SchemaModel[]): SchemaModel[] {
  const all = inOrder(editable(schemas));
  const fields = all.flatMap((schema) => schema.fields);
  const isNote = fields.some(({ name }) => name === 'note:note');
  const first = leading.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const others = all.map(({ name, fields: own }) => ({
    name,
    fields: own.filter((field) => !leading.includes(field.name)),
  }));
  const [written, content] = [first, first].map((list, index) =>
    list.filter(({ name }) => isNote && writing.includes(name) === (index === 0)),
  );
  const beginning = isNote
    ? [
        { name: 'writing', fields: written ?? [] },
        { name: 'content', fields: content ?? [] },
      ]
    : [{ name: 'content', fields: first }];
  return [...beginning, ...others].filter((section) => section.fields.length > 0);
}

const order = ['dublincore', 'note', 'file', 'files'];
const placeOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : 2.5);

/** Sorts schemas in the order in which forms show them: title and description first, attachments last. */
export const inOrder = (schemas: readonly SchemaModel[]): SchemaModel[] =>
  schemas.toSorted((a, b) => placeOf(a.name) - placeOf(b.name));
