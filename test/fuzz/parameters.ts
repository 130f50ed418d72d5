import fc from 'fast-check';
import type { Model } from '../../src/model/model.ts';
import { authorization } from '../support/administrator.ts';
import { text } from './texts.ts';

/** A header or query parameter; both have the same names. */
export type Pair = readonly [name: string, value: string];

/** The spellings of names in §9. */
const names = {
  depth: ['depth', 'X-NXdepth', 'DEPTH'],
  list: [
    ...[
      'document',
      'user',
      'task',
      'group',
      'acls',
      'directoryEntry',
      'schema',
      '__proto__',
      'constructor',
      '',
    ].flatMap((type) => [
      `enrichers.${type}`,
      `X-NXenrichers-${type}`,
      `fetch-${type}`,
      `X-NXfetch.${type}`,
      `translate.${type}`,
    ]),
    'X-NXContext-Category',
  ],
  properties: ['properties', 'X-NXproperties', 'X-NXDocumentProperties'],
  timeout: ['Svc-Transaction-Timeout', 'Nuxeo-Transaction-Timeout', 'svc_transaction_timeout'],
  flag: ['svc_es_sync', 'nx_es_sync', 'skipAggregates', 'X-SvcVoidOperation', 'X-NXVoidOperation'],
  repository: ['Repository', 'X-NXRepository', 'nxrepository'],
  source: ['source'],
  versioning: ['X-Versioning-Option'],
} as const;

const parts = [
  'acls',
  'audit',
  'breadcrumb',
  'children',
  'collections',
  'firstAccessibleAncestor',
  'hasContent',
  'username',
  'permissions',
  'properties',
  'parent',
  'label',
  'dc:creator',
  'nosuch',
  '__proto__',
  '*',
];

const one = (values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);

/** Generates mostly valid values, sometimes invalid ones or any text. */
const mostly = (valid: fc.Arbitrary<string>, invalid: readonly string[] = []): fc.Arbitrary<string> =>
  fc.oneof({ weight: 8, arbitrary: valid }, { weight: 1, arbitrary: fc.oneof(one(['', ...invalid]), text) });

const listOf = (values: readonly string[]): fc.Arbitrary<string> =>
  fc.array(one(values), { maxLength: 4 }).map((some) => some.join(','));

/** Generates valid and invalid names and values of §9. */
function wishes(model: Model): fc.Arbitrary<Pair> {
  const values: Record<keyof typeof names, fc.Arbitrary<string>> = {
    depth: mostly(one(['root', 'children', 'max', 'MAX', 'children,children']), ['root,max', '1']),
    list: listOf(parts),
    properties: listOf(['*', 'nosuch', '', ...model.schemas.keys()]),
    timeout: mostly(one(['60', '86401', '99999999999999999999', ' 5 ']), ['1', '0', '-1', '1.5', '1e3']),
    flag: mostly(one(['true', 'false', 'TRUE', 'true,true']), ['yes', 'true,false']),
    repository: mostly(one(['default', 'default,default']), ['nosuch', '__proto__']),
    source: text,
    versioning: mostly(one(['NONE', 'MINOR', 'major']), ['nosuch']),
  };
  const kinds = Object.keys(names) as Array<keyof typeof names>;
  return fc.constantFrom(...kinds).chain((kind) => fc.tuple(one(names[kind]), values[kind]));
}

const numbers = mostly(one(['0', '1', '2', '1000', '1001', '2147483647']), [
  '2147483648',
  '-1',
  '1.5',
  '1e3',
  'x',
]);

const sortKeys = ['dc:title', 'dc:created', 'uid:major_version', 'ecm:name', 'file:filename', 'note:note'];

/** Generates parameters of lists and downloads, and internal names. */
const paging: fc.Arbitrary<Pair> = fc.oneof(
  fc.tuple(one(['pageSize', 'currentPageIndex', 'offset', 'maxResults']), numbers),
  fc.tuple(
    fc.constant('sortBy'),
    mostly(listOf(sortKeys), [
      ...sortKeys.map((key) => `${key},`.repeat(1_000)),
      'file:content',
      'nosuch',
      'toString',
      'dc:title,,',
    ]),
  ),
  fc.tuple(fc.constant('sortOrder'), mostly(listOf(['asc', 'desc', 'ASC', 'nosuch', '']))),
  fc.tuple(
    one(['inline', 'changeToken', 'path', 'id', 'name', 'xpath', 'document', 'body', 'ifMatch', 'a[b]']),
    text,
  ),
);

const tags = ['*', '"0-0"', 'W/"0-1-abc"', '"0-0", "0-1"', 'x', '', '"', '""'];
const ranges = [
  'bytes=0-0',
  'bytes=-5',
  'bytes=-99999999999999999999',
  'bytes=5-1',
  'bytes=9999-',
  'x=1',
  'bytes=0-1,3-4',
];
const accepted = [
  'application/json',
  '*/*',
  'application/*',
  'text/html',
  'application/json;q=0',
  'x',
  'a/b;q=z',
];
const codings = ['gzip', 'br', 'deflate', 'identity;q=0', 'gzip;q=1, *;q=0', 'zz'];
const dates = ['Thu, 01 Jan 1970 00:00:00 GMT', 'Thu, 01 Jan 2099 00:00:00 GMT', 'x', '"a"'];
const preferences = [
  'handling=lenient',
  'handling=strict',
  'handling=lenient, handling=strict',
  'respond-async',
  '=',
];

/** Headers of HTTP itself. */
const plain: fc.Arbitrary<Pair> = fc.oneof(
  fc.tuple(fc.constant('Accept'), one(accepted)),
  fc.tuple(one(['If-Match', 'If-None-Match']), one(tags)),
  fc.tuple(fc.constant('Range'), one(ranges)),
  fc.tuple(one(['If-Range', 'If-Modified-Since', 'If-Unmodified-Since']), one(dates)),
  fc.tuple(fc.constant('Prefer'), one(preferences)),
  fc.tuple(fc.constant('Accept-Encoding'), one(codings)),
  fc.tuple(fc.constant('X-File-Name'), mostly(one(['a.txt', '%C3%A9.pdf', '..%2F..']), ['%', '%00'])),
  fc.tuple(fc.constant('X-File-Type'), mostly(one(['text/plain; charset=x', 'undefined']), ['/', 'a/b;c'])),
  fc.tuple(fc.constant('X-Upload-Type'), mostly(one(['normal', 'chunked', 'CHUNKED']), ['x'])),
  fc.tuple(fc.constant('X-Request-Id'), mostly(one(['mine', 'a b', 'x'.repeat(200)]))),
  fc.tuple(one(['Origin', 'Referer', 'X-Forwarded-Host']), one(['null', 'http://evil.example', ''])),
  fc.tuple(one(['Upgrade', 'X-HTTP-Method-Override']), one(['websocket', 'h2c', 'DELETE'])),
  fc.tuple(fc.constant('Host'), one(['', 'h', 'a:b:c', '[::1]', 'x'.repeat(5_000)])),
  fc.tuple(
    mostly(one(['X-Any', 'Cookie', 'Via'])),
    mostly(one(['x', 'y'.repeat(9_000)]), ['z'.repeat(20_000)]),
  ),
);

/** Generates mostly the credentials of the administrator, else other or invalid ones. */
export const credentials: fc.Arbitrary<string | undefined> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.constant(authorization),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      undefined,
      '',
      'Basic',
      'Basic !!!',
      'Basic Og==',
      'Bearer x',
      'Bearer a.b.c',
      'Negotiate x',
      'Basic  QTpC',
      `Basic ${Buffer.from('\0:\0').toString('base64')}`,
      `Basic ${Buffer.from('__proto__:x').toString('base64')}`,
      `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
    ),
  },
);

/** Generates headers and query parameters of a request. */
export const headers = (model: Model): fc.Arbitrary<Pair[]> =>
  fc.array(fc.oneof({ weight: 2, arbitrary: wishes(model) }, { weight: 1, arbitrary: plain }), {
    maxLength: 3,
  });

export const query = (model: Model): fc.Arbitrary<Pair[]> =>
  fc.array(fc.oneof({ weight: 1, arbitrary: wishes(model) }, { weight: 2, arbitrary: paging }), {
    maxLength: 2,
  });
