import fc from 'fast-check';
import type { Model } from '../../src/model/model.ts';
import { withOperationRoutes } from '../../src/rest/automation/call-routes.ts';
import type { Route } from '../../src/rest/route.ts';
import { routes as table } from '../../src/rest/routes.ts';
import { isCall } from './calls.ts';
import { someBatch } from './samples.ts';
import { text, wellFormed } from './texts.ts';

const routes = withOperationRoutes(table);

/** A placeholder for the id of an existing document, or `PATH-3` for its path, replaced on sending. */
const someId = fc.nat(7).map((index) => `ID-${index}`);
const somePath = fc.nat(7).map((index) => `PATH-${index}`);

/** Percent-encoded like a client does, or raw. */
const segment = text.chain((part) => {
  const encoded = encodeURIComponent(wellFormed(part));
  return fc.constantFrom(encoded, encoded, encoded, part, encoded.toLowerCase(), encoded.slice(0, -1));
});

const xpath = fc.oneof(
  fc.constantFrom(
    'file:content',
    'files:files/0/file',
    'files:files/9999999999999999999/file',
    'note:note',
    'blobholder:0',
  ),
  fc.constantFrom(
    'files:files/-1/file',
    'files:files/0',
    'file:content/name',
    'dc:title',
    'constructor',
    '__proto__/x',
  ),
  segment,
);

/** Directories with entries of every kind, a few of them often. */
export const directoriesIn = (model: Model): string[] => {
  const usual = ['nature', 'country', 'continent', 'l10nsubjects', 'l10nsubjects', 'subject'];
  return [...usual, ...usual, ...model.directories.keys()];
};

/** Ids of entries: some exist from the start, others may be created. */
export const someEntries = [
  'article',
  'France',
  'europe',
  'art',
  'architecture',
  'arts',
  'new',
  'a/b',
  '1',
  'é ',
];

/** Ids of users and groups: the stock groups exist from the start, others may be created. */
export const someAuthorities = ['members', 'powerusers', 'ann', 'ben', 'staff', 'a/b', 'é ', '@x'];

const authority = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...someAuthorities.map(encodeURIComponent)) },
  { weight: 1, arbitrary: fc.constantFrom('%00', '..', 'search', 'Administrators', 'x'.repeat(2_000)) },
  { weight: 1, arbitrary: segment },
);

/** Values of each URL parameter, mostly existing ones. */
function parameters(model: Model): Readonly<Record<string, fc.Arbitrary<string>>> {
  const names = [...model.types.keys(), ...model.schemas.keys(), ...model.facets.keys()];
  return {
    '{/*path}': fc.oneof(
      { weight: 6, arbitrary: somePath },
      {
        weight: 1,
        arbitrary: fc.constantFrom('', '/', '//', '/.', '/..', '/PATH-0/..', '//PATH-1', '/%40x', '/@x'),
      },
      { weight: 2, arbitrary: fc.tuple(somePath, segment).map((parts) => parts.join('/')) },
      { weight: 1, arbitrary: fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`) },
    ),
    ':id': fc.oneof(
      { weight: 6, arbitrary: someId },
      { weight: 1, arbitrary: fc.uuid() },
      { weight: 1, arbitrary: someId.map((id) => `${id}0`) },
      { weight: 1, arbitrary: segment },
    ),
    ':name': fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: segment }),
    ':operation': fc.constantFrom('Log', 'Document.Create', 'Blob.Get', 'Nosuch'),
    ':batch': fc.oneof(
      { weight: 6, arbitrary: fc.constant(someBatch) },
      { weight: 1, arbitrary: fc.constantFrom('handlers', 'new', `${someBatch}0`) },
      { weight: 1, arbitrary: segment },
    ),
    ':file': fc.oneof(
      { weight: 6, arbitrary: fc.nat(4).map(String) },
      { weight: 1, arbitrary: fc.constantFrom('-1', '2147483648', '1e3', 'info', 'execute') },
      { weight: 1, arbitrary: segment },
    ),
    ':handler': fc.oneof(fc.constant('default'), segment),
    ':execution': fc.oneof(fc.uuid(), segment),
    ':user': authority,
    ':group': authority,
    '*xpath': xpath,
    ':directory': fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...directoriesIn(model)) },
      { weight: 1, arbitrary: segment },
    ),
    '*entry': fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...someEntries.map(encodeURIComponent)) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('/', 'art/', 'a//b', '@children', '%00', '..', 'x'.repeat(2_000)),
      },
      { weight: 1, arbitrary: segment },
    ),
  };
}

const bases = [
  '/api/v1',
  '/api/v1',
  '/api/v1',
  '/site/api/v1',
  '/api/v1/repo/default',
  '/api/v1/repo/nosuch',
  '/api/v1/repo/%00',
  '/api/v1/repo/__proto__',
  '//api/v1',
  '/API/v1',
  '/api//v1',
  '',
];

/** The address of a row of the table. */
function addressOf(route: Route, model: Model): fc.Arbitrary<string> {
  const known = parameters(model);
  const parts = route.path.split(/(\{\/\*path\}|:\w+|\*\w+)/).map((part) => known[part] ?? fc.constant(part));
  const later = fc
    .integer({ min: 0, max: 5 })
    .map((dice) => (route.operation && dice === 0 ? '/@async' : ''));
  const path = fc.tuple(...parts, later).map((texts) => texts.join(''));
  const base = fc.oneof(
    { weight: 5, arbitrary: fc.constant('/api/v1') },
    { weight: 1, arbitrary: fc.constantFrom(...bases) },
  );
  return fc.tuple(base, path).map((two) => two.join(''));
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'NOSUCH'];

const noise = fc.oneof(
  fc.constantFrom(
    '%',
    '%00',
    '%ff',
    '%c3',
    '//',
    '..',
    '@x',
    '@children',
    '\0',
    ' ',
    '\x7f',
    'é',
    '#',
    '/',
    '%2e%2e%2f',
  ),
  fc.constantFrom('x'.repeat(9_000), '/x'.repeat(3_000), 'y'.repeat(20_000)),
);

/** Inserts or removes a part of a text. */
const damaged = (target: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.tuple(fc.nat(60), noise).map(([at, more]) => `${target.slice(0, at)}${more}${target.slice(at)}`),
    fc.nat(60).map((at) => target.slice(0, at) + target.slice(at + 1)),
    fc.constantFrom(
      '*',
      'http://other.example/api/v1/path/',
      `http://h${target}`,
      '/',
      '/health/live',
      '/metrics',
    ),
  );

/** A method and a URL. */
export interface Target {
  readonly method: string;
  readonly path: string;
}

/** Generates rows of the table, mostly with their method and a matching URL. */
export function targets(model: Model): fc.Arbitrary<Target> {
  // Writes are the most error-prone: they are three times as frequent as reads and deletions.
  const rows = routes
    .filter((route) => !isCall(route))
    .flatMap((route) => (route.body ? [route, route, route] : [route]));
  const row = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...rows) },
    { weight: 1, arbitrary: fc.constantFrom(...routes.filter(isCall)) },
  );
  return row.chain((route) => {
    const own = route.method.toUpperCase();
    const method = fc.oneof(
      { weight: 9, arbitrary: fc.constant(own) },
      { weight: 1, arbitrary: fc.constantFrom(...methods) },
    );
    const address = addressOf(route, model);
    const path = fc.oneof(
      { weight: 9, arbitrary: address },
      { weight: 1, arbitrary: address.chain(damaged) },
    );
    return fc.record({ method, path });
  });
}
