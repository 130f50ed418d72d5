import { describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import fc from 'fast-check';
import { Invalid } from '../../../src/errors.ts';
import { type ContributedNames, parseHeaders } from '../../../src/rest/request/headers.ts';

const contributed: ContributedNames = {
  properties: new Set(['*', 'dublincore', 'file', 'uid']),
  enrichers: { document: new Set(['acls', 'children']), user: new Set(['userprofile']) },
  fetch: { document: new Set(['dc:creator', 'properties']), group: new Set(['memberUsers']) },
  translate: { directoryentry: new Set(['label']) },
};

type Named = Record<string, string | string[]>;

/** Reads the headers of §9 from header names in lower case, as Node provides them, and query parameters. */
function read(headers: Named, query: Named = {}) {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return parseHeaders({ headers: lower, query } as unknown as Request, contributed);
}

/** Every spelling of the headers with a closed set of values, the contract's first, and their parsed values. */
const closed = [
  {
    spellings: ['depth', 'X-NXdepth'],
    values: { root: 0, children: 1, max: 3 },
    of: (headers: Named, query?: Named) => read(headers, query).shape.depth,
    wrong: ['2', 'deep', '', 'true', 'children max', 'constructor'],
    says: 'root, children, max',
  },
  {
    spellings: ['X-Versioning-Option'],
    values: { NONE: 'NONE', MINOR: 'MINOR', MAJOR: 'MAJOR' },
    of: (headers: Named, query?: Named) => read(headers, query).options.versioning,
    wrong: ['PATCH', '', '1', 'toString'],
    says: 'NONE, MINOR, MAJOR',
  },
  {
    spellings: ['svc_es_sync', 'svc-es-sync', 'nx_es_sync', 'nx-es-sync'],
    values: { true: true, false: false },
    of: (headers: Named, query?: Named) => read(headers, query).options.searchSync,
    wrong: ['1', 'yes', '', 'truefalse'],
    says: 'true, false',
  },
  {
    spellings: ['skipAggregates'],
    values: { true: true, false: false },
    of: (headers: Named, query?: Named) => read(headers, query).options.skipAggregates,
    wrong: ['0', 'no', ''],
    says: 'true, false',
  },
  {
    spellings: ['X-SvcVoidOperation', 'X-NXVoidOperation'],
    values: { true: true, false: false },
    of: (headers: Named, query?: Named) => read(headers, query).isVoid,
    wrong: ['on', 'null', ''],
    says: 'true, false',
  },
  {
    spellings: ['Svc-Transaction-Timeout', 'Nuxeo-Transaction-Timeout'],
    values: { 1: 1, 300: 300, '007': 7, 86400: 86_400, 86401: 86_400, 99999999999999999999: 86_400 },
    of: (headers: Named, query?: Named) => read(headers, query).options.timeout,
    wrong: ['0', '-1', '1.5', 'soon', '', '1e3', '0x10', '٣', '5s'],
    says: 'positive integer number of seconds',
  },
] as const;

const anyCase = (text: string): string[] => [
  text,
  text.toLowerCase(),
  text.toUpperCase(),
  [...text].map((char, index) => (index % 2 ? char.toUpperCase() : char.toLowerCase())).join(''),
];

describe('§9 headers with a closed set of values', () => {
  describe.each(closed)('$spellings.0', ({ spellings, values, of, wrong, says }) => {
    test.each(Object.entries(values))(
      '%s is accepted in every spelling and letter case, as header and query parameter',
      (value, meant) => {
        for (const spelling of spellings) {
          for (const cased of anyCase(value)) {
            expect(of({ [spelling]: cased })).toBe(meant);
            expect(of({ [spelling]: ` ${cased} ` })).toBe(meant);
            expect(of({}, { [spelling]: cased })).toBe(meant);
            for (const name of anyCase(spelling)) expect(of({}, { [name]: cased })).toBe(meant);
          }
        }
      },
    );

    test.each(wrong)('"%s" is refused with the list of valid values', (value) => {
      for (const spelling of spellings) {
        expect(() => of({ [spelling]: value })).toThrow(Invalid);
        expect(() => of({}, { [spelling]: value })).toThrow(says);
      }
      expect(() => of({ [spellings[0]]: value })).toThrow(spellings[0]);
    });

    test('a value may be repeated; two different values are refused', () => {
      const [one = '', other = ''] = Object.keys(values);
      const [name] = spellings;
      expect(of({ [name]: `${one}, ${one}` })).toBe(of({ [name]: one }));
      expect(of({}, { [name]: [one, one] })).toBe(of({ [name]: one }));
      expect(() => of({ [name]: `${one}, ${other}` })).toThrow(Invalid);
      expect(() => of({}, { [name]: [one, other] })).toThrow(Invalid);
    });
  });

  test('any other text is refused for depth', () => {
    const valid = /^ *(root|children|max)( *, *\1)* *$/i;
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !valid.test(text.trim())),
        (text) => {
          expect(() => read({ depth: text })).toThrow('root, children, max');
        },
      ),
    );
  });
});

describe('§9 defaults', () => {
  test('apply without headers', () => {
    expect(read({})).toEqual({
      shape: { depth: 1, enrichers: {}, fetch: {}, translate: {}, properties: undefined },
      options: {
        language: 'en',
        repository: undefined,
        source: undefined,
        searchSync: false,
        keepsUploads: false,
        isStrict: false,
        skipAggregates: false,
        timeout: undefined,
      },
      isVoid: false,
      varyNames: [],
    });
  });
});

describe('§9 source', () => {
  test.each(['drive', 'a, b', '', 'Ünï'])('accepts any string: "%s"', (source) => {
    expect(read({ source }).options.source).toBe(source);
    expect(read({}, { source }).options.source).toBe(source);
  });
});

/** Every spelling of the headers with a list of names, and how to read the parsed names. */
const open = [
  {
    header: 'properties',
    spellings: ['properties', 'X-NXproperties', 'X-NXDocumentProperties'],
    of: (headers: Named, query?: Named) => read(headers, query).shape.properties,
    names: ['dublincore', 'file'],
  },
  {
    header: 'enrichers.document',
    spellings: [
      'enrichers.document',
      'enrichers-document',
      'X-NXenrichers.document',
      'X-NXenrichers-document',
      'X-NXContext-Category',
    ],
    of: (headers: Named, query?: Named) => read(headers, query).shape.enrichers.document,
    names: ['acls', 'children'],
  },
  {
    header: 'fetch.document',
    spellings: ['fetch.document', 'fetch-document', 'X-NXfetch.document', 'X-NXfetch-document'],
    of: (headers: Named, query?: Named) => read(headers, query).shape.fetch.document,
    names: ['dc:creator', 'properties'],
  },
  {
    header: 'translate.directoryEntry',
    spellings: [
      'translate.directoryEntry',
      'translate-directoryEntry',
      'X-NXtranslate.directoryEntry',
      'X-NXtranslate-directoryEntry',
    ],
    of: (headers: Named, query?: Named) => read(headers, query).shape.translate.directoryentry,
    names: ['label'],
  },
] as const;

describe('§9 headers with a list of names', () => {
  describe.each(open)('$header', ({ spellings, of, names }) => {
    test.each(spellings)('%s is accepted as header and query parameter, in any letter case', (spelling) => {
      for (const name of anyCase(spelling)) {
        expect(of({ [name]: names.join(',') })).toEqual(names);
        expect(of({}, { [name]: names.join(',') })).toEqual(names);
      }
    });

    test('values may be repeated, separated by commas and spaces, and in any order', () => {
      const [name] = spellings;
      expect(of({}, { [name]: [...names] })).toEqual(names);
      expect(of({ [name]: [...names, ...names].reverse().join(' ,, ') })).toEqual(names);
    });

    test('the values of several spellings are joined', () => {
      const given = Object.fromEntries(spellings.map((name, index) => [name, names[index] ?? names[0]]));
      expect(of(given)).toEqual(names);
    });

    test('the header overrides the query parameter in every spelling', () => {
      for (const inHeader of spellings) {
        for (const inQuery of spellings) {
          expect(of({ [inHeader]: names[0] }, { [inQuery]: 'file,acls,dc:creator,label' })).toEqual([
            names[0],
          ]);
        }
      }
    });

    test('unknown names are ignored', () => {
      expect(of({ [spellings[0]]: `nosuch,${names[0]},constructor` })).toEqual([names[0]]);
    });
  });

  test('unknown entity types are ignored', () => {
    const { enrichers, fetch } = read({
      'enrichers.__proto__': 'acls',
      'enrichers.constructor': 'name',
      'fetch.nosuch': 'dc:creator',
      'enrichers.': 'acls',
    }).shape;
    expect({ enrichers, fetch }).toEqual({ enrichers: {}, fetch: {} });
  });

  test('other headers have no effect', () => {
    const reserved = /^(x-nx)?(enrichers|fetch|translate)[.-]|depth|properties|repository|source|category/i;
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((name) => !reserved.test(name) && !/svc|nx|nuxeo|skip|version/i.test(name)),
          fc.string(),
        ),
        (headers) => {
          expect(read(headers)).toEqual(read({}));
        },
      ),
    );
  });
});

describe('§9 precedence', () => {
  test.each([
    [{ 'X-NXdepth': 'root' }, { depth: 'max' }],
    [{ depth: 'root' }, { 'X-NXdepth': 'max' }],
    [{ depth: 'root' }, { depth: 'nonsense' }],
  ])('the header %j overrides the query parameter %j', (headers, query) => {
    expect(read(headers, query).shape.depth).toBe(0);
  });

  test('the header Repository overrides its query parameters', () => {
    for (const header of ['Repository', 'X-NXRepository']) {
      for (const parameter of ['repository', 'nxrepository', 'X-NXRepository']) {
        expect(read({ [header]: 'one' }, { [parameter]: 'two' }).options.repository).toBe('one');
        expect(read({}, { [parameter]: 'two' }).options.repository).toBe('two');
      }
    }
  });
});
