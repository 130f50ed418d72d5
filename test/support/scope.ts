import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { noTools } from '../../src/converters/programs/programs.ts';
import type { Client } from '../../src/db/database.ts';
import { MemoryBudget } from '../../src/db/memory-budget.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { restLinks } from '../../src/rest/links.ts';
import type { RequestOptions, Scope } from '../../src/scope.ts';
import type { Principal } from '../../src/security/principal.ts';
import type { StoredConversions } from '../../src/services.ts';
import { indexVisibleChanges } from '../../src/store/search/search-changes.ts';
import { plainAnalysis } from '../../src/words/atoms.ts';
import { attempts, journal, secrets } from './authentication.ts';

const model = await loadModel(undefined);

const administrator: Principal = { id: 'Administrator', groups: [], isAdministrator: true };

/** The options of a request without headers. */
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
  throw new Error('This test scope has no blobs and no executions; pass them to testScope.');
};

const conversions: StoredConversions = {
  tools: noTools,
  of: async () => null,
  along: async () => null,
  wordsOf: unused,
};

/** The services for requests that use only the database and the search index. */
const testServices: Scope['services'] = {
  config: readConfig({}),
  log: pino({ level: 'silent' }),
  model,
  secrets,
  identityProviders: [],
  wordAnalysis: plainAnalysis,
  attempts,
  journal,
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
  conversions,
  jobConversions: conversions,
  executing: { find: unused, abort: unused, run: unused },
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
  transactionTurns: { take: (_, work) => work() },
  memoryBudget: new MemoryBudget(2 ** 28, { onWaited: () => {}, onRefused: () => {} }),
  markdownType: 'text/markdown',
};

/** Returns the scope of a request to a database; by default, a request from the administrator. */
export const testScope = (
  db: Client,
  overrides: Partial<Scope['services'] & Pick<Scope, 'options' | 'user'>> = {},
): Scope => {
  const { user = administrator, options = testOptions, ...services } = overrides;
  return {
    services: { ...testServices, ...services },
    db,
    usedUploads: new Set(),
    deferred: undefined,
    trial: undefined,
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
    user,
    options,
  };
};
