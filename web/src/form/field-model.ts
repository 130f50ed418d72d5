import type { ModelQuery } from '../graphql/operations.ts';

export type FieldKind = 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary' | 'blob' | 'complex';

type Schema = ModelQuery['schemas']['entries'][number];
type Reference = Schema['references'][number];

/** A field of a schema, as a form needs it. */
export interface FieldModel {
  /** With the prefix at the top: `dc:title`; of a part of a complex value its name. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly isList: boolean;
  /** Of a complex value. */
  readonly parts: readonly FieldModel[];
  readonly isRequired: boolean;
  /** The values that it may have, when they are few. */
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

type Known = Pick<Schema, 'references' | 'choices'>;

function readField(name: string, xpath: string, raw: RawField, known: Known): FieldModel {
  const isList = raw.type.endsWith('[]');
  const kind = (isList ? raw.type.slice(0, -2) : raw.type) as FieldKind;
  const constraints = [...(raw.constraints ?? []), ...(raw.itemConstraints ?? [])];
  const below = isList ? `${xpath}/*` : xpath;
  return {
    name,
    kind,
    isList,
    parts: Object.entries(raw.fields ?? {}).map(([part, field]) =>
      readField(part, `${below}/${part}`, field, known),
    ),
    isRequired: constraints.some((each) => each.name === 'NotNullConstraint'),
    choices: known.choices.find((each) => each.xpath === xpath)?.values,
    reference: known.references.find((each) => each.xpath === xpath),
  };
}

export const bareName = (name: string): string => name.replace(/^[^:]*:/, '');

/** As it is named where no other schema is beside its own. */
export const withoutPrefix = (field: FieldModel): FieldModel => ({ ...field, name: bareName(field.name) });

export interface SchemaModel {
  readonly name: string;
  readonly fields: readonly FieldModel[];
}

export const schemaModel = ({ name, prefix, fields, ...known }: Schema): SchemaModel => ({
  name,
  fields: Object.entries(fields as Record<string, RawField>).map(([field, raw]) => {
    const xpath = `${prefix ?? name}:${field}`;
    return readField(xpath, xpath, raw, known);
  }),
});

/** Fields that the server itself writes. */
const kept = new Set([
  'dc:created',
  'dc:modified',
  'dc:creator',
  'dc:lastContributor',
  'dc:contributors',
  'common:icon',
  'common:icon-expanded',
  'common:size',
  'note:mime_type',
]);

/** Schemas by which the server keeps what other parts of the page show. */
const keptSchemas = new Set([
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
  'notification',
]);

/** The fields that a form offers, those of the named schemas. */
export const editable = (schemas: readonly SchemaModel[]): SchemaModel[] =>
  schemas
    .filter(({ name }) => !keptSchemas.has(name))
    .map(({ name, fields }) => ({ name, fields: fields.filter((field) => !kept.has(field.name)) }))
    .filter(({ fields }) => fields.length > 0);

const order = ['dublincore', 'note', 'file', 'files'];
const placeOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : 2.5);

/** In the order of a form: title and the like first, attachments last. */
export const inOrder = (schemas: readonly SchemaModel[]): SchemaModel[] =>
  schemas.toSorted((a, b) => placeOf(a.name) - placeOf(b.name));
