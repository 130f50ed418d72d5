import { createRequire } from 'node:module';
import type Nuxeo from 'nuxeo';

type Client = typeof Nuxeo;
type Methods = Record<string, unknown>;

/** The versions of the published client that are installed, by the names under which they are. */
export const versions = ['nuxeo-1.2', 'nuxeo-2.2', 'nuxeo-3.18', 'nuxeo'] as const;

const classNames = [
  'Base',
  'Operation',
  'Request',
  'Repository',
  'Document',
  'BatchUpload',
  'Users',
  'User',
  'Groups',
  'Group',
  'Directory',
  'DirectoryEntry',
  'Workflows',
  'Workflow',
  'Task',
];

export interface Recorded {
  readonly Client: Client;
  /** What the client has and was not called yet. */
  missed(): string[];
}

/** Loads a version of the client, all of whose methods note that they were called. */
export function recordedClient(version: (typeof versions)[number]): Recorded {
  const Client = createRequire(import.meta.url)(version) as Client & Methods;
  const uncalled = new Set<string>();
  const record = (owner: string, methods: Methods, names: readonly string[]): void => {
    for (const name of names) {
      const method = methods[name];
      if (typeof method !== 'function' || name === 'constructor') continue;
      const key = `${owner}.${name}`;
      uncalled.add(key);
      methods[name] = function (this: unknown, ...given: unknown[]) {
        uncalled.delete(key);
        return method.apply(this, given);
      };
    }
  };
  const classes = classNames.map((name) => [name, Client[name]] as const);
  const { LTS_2017: known } = (Client.SERVER_VERSIONS ?? {}) as Methods;
  for (const [name, { prototype }] of [
    ['Nuxeo', Client],
    ...classes,
    ...(known ? [['ServerVersion', known.constructor]] : []),
  ] as Array<[string, { prototype: Methods }]>)
    record(name, prototype, Object.getOwnPropertyNames(prototype));
  record('Nuxeo', Client, ['promiseLibrary', 'registerAuthenticator', 'registerUnmarshaller']);
  const { oauth2 } = Client as Methods;
  if (oauth2) record('oauth2', oauth2 as Methods, Object.keys(oauth2));
  return { Client, missed: () => [...uncalled].sort() };
}
