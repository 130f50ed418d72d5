import fc from 'fast-check';
import type { DocumentType, Model, Property } from '../../src/model/model.ts';
import { someBatch } from './samples.ts';
import { directoriesIn, someAuthorities, someEntries } from './targets.ts';
import { anything, text, unquoted, wellFormed } from './texts.ts';

/** What is sent after the headers. */
export interface Body {
  readonly type: string | undefined;
  readonly bytes: Buffer;
  readonly encoding: string | undefined;
}

/** Mostly the one, now and then the other. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 7, arbitrary: usual }, { weight: 1, arbitrary: other });

const blob: fc.Arbitrary<unknown> = mostly<unknown>(
  fc.record(
    {
      content: text.map(wellFormed),
      name: text.map(wellFormed),
      'mime-type': mostly(fc.constantFrom('text/plain', 'application/pdf', 'text/html; charset="é"'), text),
      encoding: mostly<unknown>(fc.constantFrom('UTF-8', 'utf8', null), text),
    },
    { requiredKeys: ['content'] },
  ),
  fc.oneof(
    fc.record({ data: mostly(fc.constant('http://h/api/v1/id/ID-1/@blob/file:content'), text) }),
    fc.record({
      'upload-batch': mostly(fc.constant(someBatch), text),
      'upload-fileId': mostly<unknown>(fc.constantFrom('0', '1', 2), text),
    }),
  ),
);

const date = mostly(
  fc.date({ noInvalidDate: true }).map((moment) => moment.toISOString()),
  fc.constantFrom(
    '2024-02-30',
    '2024',
    '-000001-01-01',
    '+275760-09-13',
    '2024-01-01T25:00:00Z',
    '0000-01-01',
  ),
);

/** A value of a property's type, as often as not one that the model does not allow. */
function valueFor(property: Property, isItem = false): fc.Arbitrary<unknown> {
  if (property.many && !isItem) return fc.array(valueFor(property, true), { maxLength: 3 });
  switch (property.type) {
    case 'boolean':
      return fc.boolean();
    case 'long':
      return fc.oneof(fc.maxSafeInteger(), fc.constantFrom('NUMBER:-0', 'NUMBER:9007199254740993'));
    case 'double':
      return fc.oneof(fc.double(), fc.constantFrom('NUMBER:1e308', 'NUMBER:5e-324', 'NUMBER:-0'));
    case 'date':
      return date;
    case 'blob':
      return blob;
    case 'complex': {
      const fields = [...property.fields].map(([name, field]) => [name, valueFor(field)] as const);
      return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    }
    default:
      return fc.oneof(
        text.map(wellFormed),
        fc.constantFrom('art/architecture', 'europe/France', 'report', 'Administrator'),
      );
  }
}

const valuesByType = new Map<DocumentType, fc.Arbitrary<Record<string, unknown>>>();

/** Some properties of a document type: mostly of the right type, now and then anything. */
function propertiesOf(type: DocumentType): fc.Arbitrary<Record<string, unknown>> {
  const known = valuesByType.get(type);
  if (known) return known;
  const all = type.schemas.flatMap(({ properties }) => [...properties.values()]);
  if (all.length === 0) return fc.constant({});
  const pairs = all.map((property) =>
    mostly(valueFor(property), anything).map((value) => [property.xpath, value] as const),
  );
  const some = fc.array(fc.oneof(...pairs), { maxLength: 4 }).map((list) => Object.fromEntries(list));
  valuesByType.set(type, some);
  return some;
}

/** Wherever it is, something else than what belongs there. */
const mutated = (whole: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.tuple(whole, fc.nat(9), anything).map(([document, at, value]) => {
      const names = Object.keys(document);
      return { ...document, [names[at % Math.max(1, names.length)] ?? 'name']: value };
    }),
    fc.tuple(whole, fc.nat(9)).map(([document, at]) => {
      const entries = Object.entries(document);
      return Object.fromEntries(entries.filter((_, index) => index !== at % entries.length));
    }),
    fc.tuple(whole, text, anything).map(([document, name, value]) => ({ ...document, [name]: value })),
    fc.tuple(whole, anything).map(([document, PROTO]) => ({ ...document, PROTO })),
    fc.tuple(whole, text, anything).map(([document, name, value]) => ({
      ...document,
      properties: { ...(document.properties as object), [name]: value },
    })),
    whole.map((document) => [document]),
    anything,
  );

function documents(model: Model): fc.Arbitrary<unknown> {
  const types = [...model.types.values()].filter(({ name }) => name !== 'Root');
  const favourites = ['File', 'Note', 'Folder', 'Picture'].map((name) => model.types.get(name));
  const type = fc.oneof(
    fc.constantFrom(...favourites.filter((found) => found !== undefined)),
    fc.constantFrom(...types),
  );
  const whole = type.chain((of) =>
    fc.record({
      'entity-type': fc.constant('document'),
      type: fc.constant(of.name),
      name: mostly(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), text),
      properties: propertiesOf(of),
    }),
  );
  const claims = fc.record(
    {
      uid: fc.constantFrom('ID-0', 'ID-1', 'ID-7'),
      changeToken: fc.constantFrom('0-0', '0-1', '1-0', '0--1', 'x'),
    },
    { requiredKeys: [] },
  );
  const claiming = fc.tuple(whole, claims).map(([document, claim]) => ({ ...document, ...claim }));
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 1, arbitrary: claiming },
    { weight: 3, arbitrary: mutated(whole) },
  );
}

/** An entry of a directory, and its fields. */
function entries(model: Model): fc.Arbitrary<unknown> {
  const id = mostly(fc.constantFrom(...someEntries), text);
  const whole = fc.constantFrom(...directoriesIn(model)).chain((name) => {
    const fields = [...(model.directories.get(name)?.schema.properties.values() ?? [])];
    const pairs = fields.map((field) =>
      mostly(valueFor(field), anything).map((value) => [field.name, value] as const),
    );
    const some = fc.array(fc.oneof(...pairs), { maxLength: 4 }).map((list) => Object.fromEntries(list));
    return fc.record({
      'entity-type': fc.constant('directoryEntry'),
      directoryName: fc.oneof({ weight: 9, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: text }),
      id,
      properties: fc.tuple(some, id).map(([given, own]) => ({ id: own, ...given })),
    });
  });
  return fc.oneof({ weight: 2, arbitrary: whole }, { weight: 1, arbitrary: mutated(whole) });
}

/** A user or a group, without a password, since a changed one would lock out the sender of the requests. */
function authorities(model: Model): fc.Arbitrary<unknown> {
  const id = mostly(fc.constantFrom(...someAuthorities), text);
  const ids = mostly(fc.uniqueArray(id, { maxLength: 3 }), anything);
  const whole = fc.constantFrom('user', 'group').chain((kind) => {
    const fields = [...(model.directories.get(`${kind}Directory`)?.schema.properties.values() ?? [])];
    const pairs = fields
      .filter(({ name }) => name !== 'password')
      .map((field) => mostly(valueFor(field), anything).map((value) => [field.name, value] as const));
    const some = fc.array(fc.oneof(...pairs), { maxLength: 4 }).map((list) => Object.fromEntries(list));
    const lists = fc.record({ memberUsers: ids, memberGroups: ids, groups: ids }, { requiredKeys: [] });
    return fc.tuple(id, some, lists).map(([name, given, { groups, ...members }]) => ({
      'entity-type': kind,
      id: name,
      ...(kind === 'group' && members),
      properties: kind === 'user' ? { username: name, ...(groups ? { groups } : {}), ...given } : given,
    }));
  });
  return fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: mutated(whole) });
}

const usual = 'application/json';

const type = fc.oneof(
  { weight: 12, arbitrary: fc.constant(usual) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-8',
      'application/json; charset=utf-16le',
      'application/json; charset=zz',
      'application/json+nxentity',
      'application/vnd.x+json',
      'text/plain',
      'application/xml',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/graphql',
      '',
      ';',
      'a/b/c',
    ),
  },
);

/** JSON that is cut off, has something behind it, or is none. */
const broken = fc.oneof(
  fc.tuple(anything, fc.nat(40)).map(([value, at]) => Buffer.from(unquoted(value).slice(0, at))),
  fc.tuple(anything, text).map(([value, more]) => Buffer.from(unquoted(value) + more)),
  fc
    .constantFrom('', ' ', '{', '[', '"', '{"a":}', '['.repeat(50_000), '{"a":'.repeat(50_000), '\u0000')
    .map((json) => Buffer.from(json)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);

/** What bodies are made for. */
const made = new WeakMap<
  Model,
  Readonly<Record<'document' | 'entry' | 'authority', fc.Arbitrary<unknown>>>
>();

/** Bodies for documents, entries, users and groups: right ones, nearly right ones, and others. */
export function bodies(model: Model, of: 'document' | 'entry' | 'authority'): fc.Arbitrary<Body> {
  const known = made.get(model) ?? {
    document: documents(model),
    entry: entries(model),
    authority: authorities(model),
  };
  made.set(model, known);
  return bodiesOf(known[of]);
}

/** Bodies of some JSON: now and then of another type, or broken. */
export function bodiesOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const json = value.map((each) => Buffer.from(unquoted(each)));
  const encoding = fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('gzip', 'identity', 'br', 'zz', 'deflate, gzip') },
  );
  const bytes = fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: broken });
  return fc.record({ type, bytes, encoding });
}
