import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { filesBelow, read, root } from './tree.ts';

/** Entities of the contract, each with the same folder name in every layer of `src` and `test` that knows it. */
const nouns: readonly string[] = [
  'acls',
  'audit',
  'authorities',
  'automation',
  'blobs',
  'bulk',
  'chains',
  'collections',
  'comments',
  'config',
  'directories',
  'documents',
  'executions',
  'mail',
  'notifications',
  'probes',
  'queue',
  'renditions',
  'retention',
  'search',
  'shares',
  'tags',
  'tokens',
  'uploads',
  'versions',
  'webhooks',
  'workflows',
];

/** The other folders within layers, and what they hold. */
const otherFolders: Readonly<Record<string, string>> = {
  'auth/oidc': 'what OpenID Connect providers say: sign-ins, access tokens and logouts',
  'automation/operations': 'the operations, in folders by noun',
  'automation/params': 'the types of parameters, and reading them',
  'cli/commands': 'the commands of quire, a file each',
  'cli/studio': 'the database browser: Prisma Studio behind a proxy',
  'converters/pages': 'the converters that show files as HTML',
  'converters/pdf': 'the converters of PDF',
  'converters/programs': 'the converters that run programs, finding these and running them',
  'converters/texts': 'the converters that make texts, and what they read files with',
  'db/copy': 'all rows, read from a database of any kind and written to another one',
  'db/pg': 'what depends on how `pg` works inside',
  'db/replicas': 'which server of the database answers a read',
  'doctor/checks': 'what quire doctor checks, a file each',
  'import/jsonl': 'documents from lines of JSON',
  'jobs/kinds': 'the kinds of jobs, a file each',
  'loaders/lists': 'what page loaders of all nouns share',
  'model/contributed': 'reading the JSON files of MODEL_DIR',
  'model/data': 'the stock vocabularies and labels, as CSV and JSON',
  'model/resolve': 'from definitions, which may refer to each other, to the model',
  'model/schemas': 'the stock schemas, a file for each group',
  'model/values': 'reading, rendering and comparing the values of properties',
  'fixtures/extension-1.0': '(tests) an extension that was built for version 1.0',
  'promises/kept': '(tests) the interfaces that a release keeps',
  'openapi/examples': 'a request for each call of openapi.json, and what was answered to it',
  'query/elements': 'numbered list elements (dc:subjects/*1) and ACEs in conditions',
  'query/indexes': 'conditions that database indexes answer, and the indexes that a model declares',
  'query/providers': 'queries of page providers: their parameters, predicates and aggregates',
  'rest/answer': 'from the data of GraphQL to the bytes of an answer',
  'rest/explain': 'what a call does, noted while it runs and is undone: a file for each part',
  'rest/fetch': '(tests) of fetch.TYPE: rest/fetch-properties.ts',
  'rest/request': 'from the bytes of a request to headers, inputs and blobs',
  'store/extensions': 'what extensions do to documents and events, and their sequences',
  'store/checks': 'what quire check finds wrong in the tables, a file for each kind',
  'store/row-locks': 'the statements that lock rows, in one order for all writes',
  'store/stock': 'what every installation starts with: accounts, vocabularies, the tree',
  'automation/mutations': '(tests) each writing operation with its permissions taken away one by one',
  'fuzz/clients': '(tests) slow clients and malformed requests',
};

/** The folders directly below the folders of `src` and `test`, and those of operations: `store/documents`. */
const folders = ['src', 'test']
  .flatMap(filesBelow)
  .filter((file) => !file.startsWith('src/generated/'))
  .map((file) => file.replace('/operations/', '/').split('/'))
  .filter((names) => names.length > 3)
  .map(([, layer, folder]) => `${layer}/${folder}`);

describe('The folders within layers', () => {
  test('are nouns, or are listed with what they hold', () => {
    const unknown = folders.filter(
      (folder) => !nouns.includes(folder.split('/')[1] ?? '') && !(folder in otherFolders),
    );
    expect([...new Set(unknown)]).toEqual([]);
  });

  test('include every noun and every other folder of the lists', () => {
    const found = new Set(folders.map((folder) => folder.split('/')[1]));
    expect(nouns.filter((noun) => !found.has(noun))).toEqual([]);
    const missing = Object.keys(otherFolders).filter(
      (folder) => !['src', 'test'].some((top) => existsSync(join(root, top, folder))),
    );
    expect(missing).toEqual([]);
  });
});

/** `NOUN` stands for any noun. */
test.each([
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/operations.md',
  'docs/performance.md',
  'docs/robustness.md',
  'docs/scaling.md',
  'prisma/README.md',
])('%s names only files that exist', (page) => {
  const named = [...read(page).matchAll(/`([\w./-]+\.(?:ts|cjs|sh|cfg))`/g)].map(([, file = '']) =>
    file.replace('NOUN', 'documents'),
  );
  const missing = named.filter((file) => ![file, `src/${file}`].some((each) => existsSync(join(root, each))));
  expect(missing).toEqual([]);
});
