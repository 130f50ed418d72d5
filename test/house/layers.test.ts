import { describe, expect, test } from '@jest/globals';
import { importsOf, layerOf, packagesOf, sourceFiles } from './tree.ts';

/** The folders and root files of `src`: each imports only from those above it. docs/architecture.md describes them. */
const layers: readonly string[] = [
  'errors.ts',
  'near-names.ts',
  'deprecations.ts',
  'event-loop.ts',
  'config.ts',
  'log.ts',
  'process-state.ts',
  'secrets.ts',
  'model/',
  'security/',
  'extension.ts',
  'extensions/',
  'words/',
  'query/',
  'db/',
  'blobs/',
  'converters/',
  'ldap/',
  'mail/',
  'services.ts',
  'scope.ts',
  'loaders/',
  'store/',
  'auth/',
  'doctor/',
  'automation/',
  'selection/',
  'graphql/',
  'enrichers/',
  'schema/',
  'http/',
  'oauth2/',
  'console/',
  'rest/',
  'openapi/',
  'jobs/',
  'export/',
  'import/',
  'backup/',
  'app.ts',
  'open-services.ts',
  'embedded/',
  'workers/',
  'serve.ts',
  'cli/',
  'testing.ts',
];

const graphqlLayers = ['selection/', 'graphql/', 'enrichers/', 'schema/'];
const interfaces = ['http/', 'oauth2/', 'console/', 'rest/', 'openapi/', 'jobs/'];

/** The layers above its own that a layer must not import, where it is not free to use all of them. */
const bans: Readonly<Record<string, readonly string[]>> = {
  'event-loop.ts': ['errors.ts'],
  'config.ts': ['event-loop.ts'],
  'log.ts': ['errors.ts', 'event-loop.ts', 'config.ts'],
  'process-state.ts': ['errors.ts', 'event-loop.ts', 'config.ts', 'log.ts'],
  'secrets.ts': ['errors.ts', 'config.ts', 'log.ts', 'process-state.ts'],
  // Data, and pure functions over it.
  'model/': ['config.ts', 'log.ts', 'secrets.ts'],
  'security/': ['config.ts', 'log.ts', 'secrets.ts'],
  'query/': ['config.ts', 'log.ts', 'secrets.ts', 'security/'],
  // Statements, bytes and files, without knowledge of what they mean.
  'db/': ['model/', 'security/', 'query/'],
  'blobs/': ['model/', 'security/', 'query/', 'db/'],
  'converters/': ['model/', 'security/', 'query/', 'db/'],
  'ldap/': ['config.ts', 'log.ts', 'model/', 'query/', 'db/', 'blobs/', 'converters/'],
  'mail/': ['config.ts', 'log.ts', 'model/', 'query/', 'db/', 'converters/', 'ldap/'],
  'services.ts': ['query/'],
  'scope.ts': ['query/'],
  'auth/': ['query/'],
  'automation/': ['config.ts', 'auth/'],
  'selection/': ['model/', 'query/', 'loaders/', 'store/', 'auth/', 'automation/'],
  'graphql/': ['auth/'],
  'enrichers/': ['query/', 'db/', 'store/', 'auth/', 'automation/'],
  'schema/': ['db/'],
  'http/': ['query/', 'loaders/', 'automation/', 'graphql/', 'enrichers/', 'schema/'],
  'oauth2/': ['query/', 'automation/', ...graphqlLayers],
  'console/': ['model/', 'query/', 'loaders/', 'store/', 'automation/', ...graphqlLayers, 'oauth2/'],
  // REST has no power but the GraphQL schema that it is passed.
  'rest/': ['query/', 'db/', 'loaders/', 'store/', 'auth/', 'graphql/', 'schema/', 'oauth2/', 'console/'],
  'openapi/': ['query/', 'db/', 'loaders/', 'store/', 'auth/', 'graphql/', 'schema/', 'oauth2/', 'console/'],
  // These run without a request, over the loaders and the store.
  'jobs/': ['query/', 'auth/', 'automation/', ...graphqlLayers, ...interfaces.slice(0, -1)],
  'export/': ['query/', 'store/', 'auth/', 'automation/', ...graphqlLayers, ...interfaces],
  'import/': ['query/', 'auth/', 'automation/', ...graphqlLayers, ...interfaces],
  'backup/': ['query/', 'auth/', 'automation/', ...graphqlLayers, ...interfaces],
  'app.ts': ['export/', 'import/', 'backup/'],
  'open-services.ts': ['export/', 'import/', 'backup/'],
  'cli/': ['automation/', 'graphql/', 'enrichers/', 'http/', 'oauth2/', 'jobs/', 'workers/'],
};

/** The layers above its own that a layer can import, where these are few. */
const allowances: Readonly<Record<string, readonly string[]>> = {
  // The embedded database is a server of its own, of which the rest knows an address.
  'embedded/': ['errors.ts', 'event-loop.ts', 'config.ts', 'log.ts', 'process-state.ts', 'secrets.ts', 'db/'],
  // Workers start, serve and end the application without knowledge of what it does.
  'workers/': ['errors.ts', 'config.ts', 'log.ts', 'process-state.ts', 'db/', 'http/', 'open-services.ts'],
};

/** The layers that import a package or generated code; all others must not. */
const users: Readonly<Record<string, readonly string[]>> = {
  graphql: [...graphqlLayers, 'http/', 'rest/', 'openapi/', 'app.ts', 'open-services.ts', 'cli/'],
  express: ['log.ts', 'auth/', 'http/', 'oauth2/', 'console/', 'rest/', 'openapi/', 'app.ts'],
  'generated/': ['db/', 'loaders/', 'store/', 'oauth2/'],
};

const order = new Map(layers.map((layer, index) => [layer, index]));

function isAllowed(from: string, to: string): boolean {
  if (from === to) return true;
  if (users[to]) return users[to].includes(from);
  if ((order.get(to) ?? Number.POSITIVE_INFINITY) > (order.get(from) ?? -1)) return false;
  return allowances[from]?.includes(to) ?? !bans[from]?.includes(to);
}

describe('The layers', () => {
  test('are the folders and root files of src', () => {
    expect(layers.toSorted()).toEqual([...new Set(sourceFiles.map(layerOf))].sort());
  });

  test('import only what the tables above allow, types included', () => {
    const refused = sourceFiles.flatMap((file) => {
      const imported = [
        ...importsOf(file).map(layerOf),
        ...packagesOf(file).filter((name) => users[name] !== undefined),
      ];
      return [...new Set(imported)]
        .filter((other) => !isAllowed(layerOf(file), other))
        .map((other) => `${file} imports ${other}`);
    });
    expect(refused).toEqual([]);
  });

  test('have no file that imports itself through others, types included', () => {
    // What text within templates imports is no file of ours.
    const files = new Set(sourceFiles);
    const [ended, circles] = [new Set<string>(), [] as string[]];
    const visit = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
      else if (!ended.has(file))
        for (const next of importsOf(file)) if (files.has(next)) visit(next, [...way, file]);
      ended.add(file);
    };
    for (const file of sourceFiles) visit(file, []);
    expect(circles).toEqual([]);
  });

  test('are named rightly by the tables above', () => {
    const named = [bans, allowances].flatMap((table) => Object.entries(table).flat(2));
    const known = [...layers, ...Object.keys(users)];
    expect([...named, ...Object.values(users).flat()].filter((name) => !known.includes(name))).toEqual([]);
    const pointless = Object.entries(bans).flatMap(([from, list]) =>
      list.filter((to) => (order.get(to) ?? 0) > (order.get(from) ?? 0)).map((to) => `${from} ${to}`),
    );
    expect(pointless).toEqual([]);
  });

  test.each([
    ['rest/', 'store/', false],
    ['store/', 'rest/', false],
    ['workers/', 'app.ts', false],
    ['model/', 'graphql', false],
    ['model/', 'generated/', false],
    ['rest/', 'selection/', true],
    ['rest/', 'rest/', true],
  ])('%s and %s: %s', (from, to, allowed) => expect(isAllowed(from, to)).toBe(allowed));
});
