import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { anything, text } from './texts.ts';

/** What is sent to /graphql: a query as text, and its variables as JSON. */
export interface Question {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly operationName: string | undefined;
}

/** A value for a variable, and its type as the query declares it. */
interface Variable {
  readonly type: string;
  readonly value: unknown;
}

/** A part of a query, and the variables that it wants in the order of its question marks. */
interface Part {
  readonly text: string;
  readonly variables: readonly Variable[];
}

const number = fc.constantFrom<unknown>(0, 1, 2, 50, 1000, 1001, -1, 2 ** 31 - 1, 2 ** 31, 1.5, '1', 1e300);

const someText = fc.oneof(
  fc.constantFrom(
    '/',
    '/default-domain',
    'PATH-0',
    'PATH-1',
    'ID-0',
    'ID-1',
    'dc:title',
    'file:content',
    'asc',
    '*',
  ),
  fc.constantFrom('File', 'Folder', 'dublincore', 'Folderish', '0-0'),
  text,
);

/** A value of a type of the schema: mostly one that it takes. */
function valueFor(type: GraphQLInputType): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return valueFor(type.ofType);
  if (isListType(type))
    return fc.oneof(fc.array(valueFor(type.ofType), { maxLength: 3 }), valueFor(type.ofType));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(
      (field) => [field.name, argumentFor(field.type)] as const,
    );
    return fc.record(Object.fromEntries(fields), {
      requiredKeys: ['name', 'type'].filter((name) => name in type.getFields()),
    });
  }
  if (type.name === 'Int') return number;
  if (type.name === 'JSON') {
    return fc.oneof(
      fc.record({ 'dc:title': fc.oneof(text, fc.constant('T')) }, { requiredKeys: [] }),
      anything,
    );
  }
  return someText;
}

const argumentFor = (type: GraphQLInputType): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 12, arbitrary: valueFor(type) },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constant(null) },
  );

/** One argument: its value in a variable, which is declared with its type or, now and then, another one. */
function argument({ name, type }: GraphQLArgument): fc.Arbitrary<Part> {
  const declared = fc.oneof(
    { weight: 60, arbitrary: fc.constant(String(type)) },
    { weight: 1, arbitrary: fc.constantFrom('Int', 'String!', '[ID]', 'Nosuch', 'Document') },
  );
  return fc.record({ value: argumentFor(type), declared }).map(({ value, declared: as }) => {
    return { text: `${name}: $?`, variables: [{ type: as, value }] };
  });
}

const join = (parts: readonly Part[], separator = ' '): Part => ({
  text: parts.map((part) => part.text).join(separator),
  variables: parts.flatMap(({ variables }) => variables),
});

/** The arguments of a field: those that it needs, and some of the others. */
function argumentsOf(field: GraphQLField<unknown, unknown>): fc.Arbitrary<Part> {
  const some = field.args.map((one) =>
    fc
      .tuple(argument(one), fc.nat(9))
      .map(([part, dice]) => (isNonNullType(one.type) || dice < 4 ? [part] : [])),
  );
  return fc.tuple(...some).map((parts) => {
    const { text: inside, variables } = join(parts.flat(), ', ');
    return { text: inside === '' ? '' : `(${inside})`, variables };
  });
}

const wrap = (part: Part, before: string, after: string): Part => ({
  ...part,
  text: `${before}${part.text}${after}`,
});

const nothing: Part = { text: '', variables: [] };

/** Around a selection, in one of the ways that change nothing. */
const around = (part: Part, type: string): fc.Arbitrary<Part> =>
  fc.constantFrom(
    part,
    part,
    part,
    wrap(part, `... on ${type} { `, ' }'),
    wrap(part, '... @include(if: true) { ', ' }'),
    wrap(part, '... @skip(if: true) { ', ' } __typename'),
  );

/** Fields of a type, with fields inside them, down to so many levels. */
function selection(type: unknown, depth: number): fc.Arbitrary<Part> {
  if (!isObjectType(type) && !isInterfaceType(type)) return fc.constant(nothing);
  const fields = Object.values(type.getFields());
  const flat = fields.filter(({ type: of }) => !isObjectType(getNamedType(of)));
  const usable = depth > 0 || flat.length === 0 ? fields : flat;
  const known = fc.constantFrom(...usable).chain((found) => fieldOf(found, depth));
  const other = fc.constantFrom({ ...nothing, text: '__typename' }, { ...nothing, text: 'nosuch' });
  const one = fc.oneof({ weight: 60, arbitrary: known }, { weight: 1, arbitrary: other });
  const many = fc.array(one, { minLength: 1, maxLength: 4 }).map((parts) => join(parts));
  return many.chain((part) => around(part, type.name));
}

/** A field with its arguments and what is inside; with an alias where the same field may be there differently. */
function fieldOf(field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<Part> {
  const inner = getNamedType(field.type);
  const isObject = isObjectType(inner);
  const alias = fc
    .tuple(fc.nat(99_999), fc.nat(4))
    .map(([id, dice]) => (dice === 0 || field.args.length > 0 || isObject ? `a${id}: ` : ''));
  const below = isObject
    ? selection(inner, depth - 1).map((part) => wrap(part, ' { ', ' }'))
    : fc.constant(nothing);
  return fc
    .tuple(alias, argumentsOf(field), below)
    .map(([as, given, of]) => wrap(join([given, of], ''), `${as}${field.name}`, ''));
}

/** Variables as they are declared and given; some are missing, some are of another type. */
function question(kind: string, { text: unnamed, variables }: Part): fc.Arbitrary<Question> {
  let count = 0;
  const body = unnamed.replaceAll('$?', () => `$v${count++}`);
  const declared = variables.map(({ type }, index) => `$v${index}: ${type}`).join(', ');
  const query = `${kind} Q${declared && `(${declared})`} { ${body} }`;
  const given = Object.fromEntries(variables.map(({ value }, index) => [`v${index}`, value]));
  return fc.record({
    query: fc.oneof(
      { weight: 30, arbitrary: fc.constant(query) },
      { weight: 1, arbitrary: fc.nat(query.length).map((end) => query.slice(0, end)) },
      { weight: 1, arbitrary: fc.constant(`${query} query Other { __typename }`) },
    ),
    variables: fc.constant(given),
    operationName: fc.oneof(
      { weight: 60, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('Q', 'x', '') },
    ),
  });
}

/** Queries and mutations made of a schema: deep ones, wide ones, with aliases, with right and wrong variables. */
export function questions(schema: GraphQLSchema): fc.Arbitrary<Question> {
  const depth = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 1, arbitrary: fc.constant(9) },
  );
  const query = depth.chain((levels) => selection(schema.getQueryType(), levels));
  const mutation = selection(schema.getMutationType(), 1);
  return fc.oneof(
    { weight: 3, arbitrary: query.chain((part) => question('query', part)) },
    { weight: 2, arbitrary: mutation.chain((part) => question('mutation', part)) },
  );
}
