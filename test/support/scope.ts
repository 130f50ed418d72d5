import { pino } from 'pino';
import { noTools } from '../../src/converters/programs/programs.ts';
import type { Client } from '../../src/db/database.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { restLinks } from '../../src/rest/links.ts';
import type { RequestOptions, Scope } from '../../src/scope.ts';
import type { Principal } from '../../src/security/principal.ts';
import { indexVisibleChanges } from '../../src/store/search/search-changes.ts';
import { attempts, secrets } from './authentication.ts';

const model = await loadModel(undefined);

const administrator: Principal = { id: 'Administrator', groups: [], isAdministrator: true };

/** The options of a request that asks for nothing. */
export const testOptions: RequestOptions = {
  repository: 'default',
  versioning: 'NONE',
  source: undefined,
  comment: undefined,
  searchSync: false,
  keepsUploads: false,
  isStrict: false,
  skipAggregates: false,
  timeout: undefined,
  links: restLinks(''),
  address: '',
  language: 'en',
};

const caughtUp = { isCaughtUp: true, behind: 0 };

const unused = () => {
  throw new Error('a scope of tests has neither blobs nor executions unless they are given');
};

/** The scope of one request over a database, of the administrator unless another user is given. */
export const testScope = (db: Client, given: Partial<Scope> = {}): Scope => ({
  db,
  model,
  secrets,
  attempts,
  blobs: {
    write: unused,
    join: unused,
    read: unused,
    readAll: unused,
    withFiles: unused,
    lengthOf: unused,
    renew: unused,
    remove: unused,
    list: unused,
    sweep: unused,
  },
  conversions: { tools: noTools, of: async () => null, along: async () => null },
  executing: { find: unused, abort: unused },
  log: pino({ level: 'silent' }),
  adminUsername: administrator.id,
  uploadQuota: Number.POSITIVE_INFINITY,
  searchCountLimit: 10_000,
  answerLimit: 2 ** 24,
  markdownType: 'text/markdown',
  mail: { isSent: false, limit: 100 },
  downloads: { urls: [], networks: [], limit: 0 },
  repositories: ['default'],
  productVersion: '2023.5',
  usedUploads: new Set(),
  deferred: undefined,
  trial: undefined,
  searchIndex: {
    catchUp: (searched) => indexVisibleChanges(searched).then(() => caughtUp),
    catchUpWithFiles: (searched) => indexVisibleChanges(searched).then(() => caughtUp),
    findsAll: (searched) => indexVisibleChanges(searched).then(() => true),
    withinTransaction: async (searched, search) => ({
      found: await search(searched.query),
      state: caughtUp,
    }),
    changed: () => {},
  },
  metricSamples: () => [],
  searchTurns: { take: (_, search) => search() },
  archiveTurns: { take: (_, work) => work() },
  searchTurn: {
    user: 'Administrator',
    deadline: Number.POSITIVE_INFINITY,
    isConnected: false,
    isWrite: false,
    origin: 'server',
    signal: undefined,
    response: undefined,
    delay: 0,
  },
  user: administrator,
  options: testOptions,
  ...given,
});
