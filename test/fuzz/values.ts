import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { membershipProperties } from '../../src/model/memberships.ts';
import type { DocumentType, Model, Property } from '../../src/model/model.ts';
import { tagsProperty } from '../../src/model/tags.ts';

/** A document to create: its type, a name that no other one of its batch has, and some properties. */
export interface NewDocument {
  readonly name: string;
  readonly type: DocumentType;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Texts that some format escapes, quotes, folds, trims or drops. */
const awkward = [
  ['', ' ', '  ', '\t', '\n', '\r', '\r\n', '\u0085', '\u00a0', '\u2028', '\u2029', '\v', '\f'],
  ['"', '""', "'", ',', ';', '\\', '\\n', '\\u0041', '{"a":1}', '[]', 'null', 'true', '0', '-0', '1e3'],
  ['=1+1', '+1', '-1', '@SUM(A1)', "'=1", ' =1', '\uff1d1', '\uff0b1', '|', '%', '&', '#', '?'],
  [
    '&nbsp;',
    '&amp;nbsp;',
    '&#13;',
    '&#x41;',
    '&lt;',
    '<',
    '>',
    ']]>',
    '<![CDATA[x]]>',
    '<!-- x -->',
    '<?x?>',
  ],
  ['\u0001', '\u001b', '\u007f', '\u009f', '\ufeff', '\ufffd', '\ufffe', '\uffff', '\u200b', '\u202e'],
  [
    'é',
    'e\u0301',
    'ß',
    'İ',
    '日本',
    '😀',
    '👩‍👩‍👧',
    '\u{10ffff}',
    '\u{1fffe}',
    '__proto__',
    'constructor',
    '$&',
    '$1',
  ],
].flat();

const word = fc.constantFrom(...awkward, 'a', 'Z', '9');

const text = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 4, arbitrary: fc.array(word, { maxLength: 5 }).map((words) => words.join('')) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((made) => made.replaceAll('\0', '-')),
  },
  { weight: 1, arbitrary: word.map((made) => `x${made}`.repeat(50)) },
);

const years = { min: new Date('0000-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true };

const plain = {
  string: text,
  binary: text,
  date: fc.date(years).map((date) => date.toISOString()),
  boolean: fc.boolean(),
  long: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1, Number.MIN_SAFE_INTEGER)),
  double: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((size) => size + 0),
    fc.constantFrom(1e308, 5e-324, -1.5, 0.1 + 0.2, 1e21),
  ),
};

/** A blob of text in a body (§2.1). */
interface InlineBlob {
  readonly content: string;
  readonly name: string;
  readonly 'mime-type': string;
}

const blob: fc.Arbitrary<InlineBlob> = fc.record({
  content: text,
  name: text,
  'mime-type': fc.constantFrom('text/plain', 'application/x-own', 'text/html; charset="a b"'),
});

/** Values of the stock vocabularies, those of hierarchical ones with and without their ancestors. */
const entries: Readonly<Record<string, readonly string[]>> = {
  l10nsubjects: ['art', 'art/cinema', 'sciences/astronomy', 'cinema', 'daily life'],
  l10ncoverage: ['europe', 'europe/France', 'France', 'africa'],
  nature: ['article', 'certificate'],
  WorkflowType: ['validation', 'simpleReview'],
  topic: ['animals'],
};

function one(property: Property): fc.Arbitrary<unknown> {
  const { type, refersTo, fields } = property;
  if (type === 'blob') return blob;
  if (type === 'complex') {
    const parts = [...fields.values()].map((field) => [field.name, fc.option(anyOf(field))] as const);
    return fc.record(Object.fromEntries(parts), { requiredKeys: [] });
  }
  return refersTo?.to === 'directory' ? fc.constantFrom(...(entries[refersTo.directory] ?? [])) : plain[type];
}

/** Generates values of a property, as an answer has them but for their unset parts and their blobs. */
const anyOf = (property: Property): fc.Arbitrary<unknown> =>
  property.many ? fc.array(one(property), { maxLength: 3 }) : one(property);

/** Those that the server sets, and tags, which it normalizes. */
const served: readonly string[] = [
  'uid:major_version',
  'uid:minor_version',
  tagsProperty,
  ...membershipProperties,
];

/** Those that the server sets where a new document has none. */
const filledIn: readonly string[] = ['dc:created', 'dc:creator'];

/** Those that every write sets, unless it is by an administrator who gives them. */
const tracked: readonly string[] = ['dc:modified', 'dc:contributors', 'dc:lastContributor'];

/** Names of documents have no control characters or slashes, and no blank around them (§4.1). */
const nameOf = (made: string, index: number): string =>
  `${made
    .replace(/[\p{Cc}/\\]/gu, '')
    .trimStart()
    .slice(0, 40)
    .toWellFormed()}-${index}`;

/** Generates documents of some types, each with some of its properties. */
export function documentsOf(types: readonly DocumentType[], count: number): fc.Arbitrary<NewDocument[]> {
  const each = types.map((type) => {
    const all = type.schemas.flatMap(({ properties }) => [...properties.values()]);
    const own = all.filter(({ xpath }) => !served.includes(xpath));
    const values = new Map(
      own.map((property) => {
        const made = anyOf(property);
        const isFilledIn = filledIn.includes(property.xpath);
        return [property.xpath, isFilledIn ? made : fc.option(made, { freq: 9 })];
      }),
    );
    const properties = fc
      .subarray([...values.keys()], { maxLength: Math.min(8, values.size) })
      .chain((some) =>
        fc.record(Object.fromEntries(some.map((xpath) => [xpath, values.get(xpath) ?? text]))),
      );
    return fc.record({ name: text, type: fc.constant(type), properties });
  });
  return fc
    .array(fc.oneof(...each), { minLength: count, maxLength: count })
    .map((made) => made.map((document, index) => ({ ...document, name: nameOf(document.name, index) })));
}

/** The values that are compared: all properties but those that every write sets. */
export const comparedProperties = ({ schemas }: DocumentType): Property[] =>
  schemas
    .flatMap(({ properties }) => [...properties.values()])
    .filter(({ xpath }) => !served.includes(xpath) && !tracked.includes(xpath));

/** The leaves of a value, and what stands for unset ones. */
export interface Form {
  readonly leaf: (value: unknown, property: Property) => unknown;
  readonly unset: unknown;
}

/** A value with its unset parts, whose leaves are written in a form. */
export function written(property: Property, value: unknown, form: Form, isItem = false): unknown {
  if (property.many && !isItem)
    return ((value ?? []) as unknown[]).map((item) => written(property, item, form, true));
  if (value === null || value === undefined) return form.unset;
  if (property.type !== 'complex') return form.leaf(value, property);
  const fields = [...property.fields.values()].map((field) => [
    field.name,
    written(field, (value as Record<string, unknown>)[field.name], form),
  ]);
  return Object.fromEntries(fields);
}

const isInline = (value: object): value is InlineBlob => 'content' in value;

/** A blob in a body or an answer, by what both say of it. */
function blobFacts(value: object): unknown {
  if (isInline(value)) {
    const bytes = Buffer.from(value.content, 'utf8');
    const digest = createHash('sha256').update(bytes).digest('hex');
    return {
      name: value.name,
      'mime-type': value['mime-type'],
      encoding: 'UTF-8',
      digest,
      length: String(bytes.length),
    };
  }
  const { name, 'mime-type': type, encoding, digest, length } = value as Record<string, unknown>;
  return { name, 'mime-type': type, encoding, digest, length };
}

/** As JSON has it. */
export const jsonForm: Form = {
  leaf: (value, { type }) => (type === 'blob' ? blobFacts(value as object) : value),
  unset: null,
};

/** The bytes of blobs, by their digests. */
export function contentsOf(model: Model, documents: readonly NewDocument[]): Map<string, string> {
  const contents = new Map<string, string>();
  const leaf = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null && isInline(value))
      contents.set((blobFacts(value) as { digest: string }).digest, value.content);
    return value;
  };
  for (const { properties } of documents)
    for (const [xpath, value] of Object.entries(properties)) {
      const property = model.property(xpath);
      if (property) written(property, value, { leaf, unset: null });
    }
  return contents;
}
