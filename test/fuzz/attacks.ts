/** Returns nested fields with a number of levels of documents. */
const nested = (levels: number, page: string): string =>
  levels === 0 ? 'uid' : `children(${page}) { entries { ${nested(levels - 1, page)} } }`;

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const root = (inner: string): string => `{ document(path: "/") { ${inner} } }`;

/** Returns fragments that each use the next one twice, which doubles their size every time. */
const doubling = (count: number, use: (index: number) => string): string =>
  `${root('...f0')} ${times(count, (index) => `fragment f${index} on Document { ${use(index + 1)} }`)} fragment f${count} on Document { uid }`;

const introspection = (levels: number): string =>
  levels === 0 ? 'name' : `fields { type { ${introspection(levels - 1)} } }`;

const listOf = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** GraphQL requests that would take very long. */
export const attacks: Readonly<Record<string, unknown>> = {
  depth: { query: root(nested(20, 'pageSize: 1')) },
  'pages of pages of pages': { query: root(nested(3, 'pageSize: 1000')) },
  'pages as large as they may be': { query: root(nested(3, 'pageSize: 0')) },
  'a page size in a variable': {
    query: `query ($n: Int) ${root(nested(3, 'pageSize: $n'))}`,
    variables: { n: 2 ** 31 - 1 },
  },
  'a page size by default': { query: `query ($n: Int = 1000) ${root(nested(3, 'pageSize: $n'))}` },
  'sixty aliases': { query: root(times(60, (index) => `a${index}: uid`)) },
  'one field a thousand times': { query: root(times(3_000, () => 'uid')) },
  'fragments that double': { query: doubling(60, (index) => `...f${index} ...f${index}`) },
  'fragments that double by aliases': {
    query: doubling(
      25,
      (index) => `a: children { entries { ...f${index} } } b: children { entries { ...f${index} } }`,
    ),
  },
  'inline fragments that double': {
    query: root(`${'... on Document { '.repeat(600)}uid${' }'.repeat(600)}`),
  },
  'a fragment inside itself': { query: `${root('...f')} fragment f on Document { ...f }` },
  'two fragments inside each other': {
    query: `${root('...f')} fragment f on Document { ...g } fragment g on Document { ...f }`,
  },
  'types of types of types': { query: `{ __schema { types { ${introspection(9)} } } }` },
  'a list in a list, as a literal': {
    query: `mutation { updateDocument(path: "/", document: {properties: ${listOf(900)}}) { uid } }`,
  },
  'a thousand directives': { query: root(`uid ${times(700, () => '@include(if: true)')}`) },
  'a thousand unknown fields': { query: root(times(1_500, (index) => `nosuch${index}`)) },
  'several operations at once': [{ query: '{ __typename }' }, { query: '{ __typename }' }],
};
