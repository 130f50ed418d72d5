import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { enrichers } from '../../src/enrichers/index.ts';
import { fetchable } from '../../src/fetch/index.ts';
import { loadModel } from '../../src/model/contributed.ts';
import { referenceNames } from '../../src/model/references.ts';
import type { DocumentEntity } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { fullFolder } from './full-folder.ts';

type Headers = Record<string, string>;

const most = 50;
let server: TestServer;
let [one, few, many] = [] as unknown as [DocumentEntity, DocumentEntity, DocumentEntity];
beforeAll(async () => {
  server = await start();
  await createUser(server, 'ann', ['members']);
  [one, few, many] = [
    await fullFolder(server, 1),
    await fullFolder(server, 2),
    await fullFolder(server, most),
  ];
}, 120_000);
afterAll(() => server.stop());

const model = await loadModel(undefined);

/** Those that the documents have: of each kind of reference, one value and a list. */
const references = referenceNames({
  schemas: new Map((model.types.get('Workspace')?.schemas ?? []).map((schema) => [schema.name, schema])),
});

/** What can be wished for, each alone: every enricher, and every fetch property that documents may have or hold. */
const wishes: Array<[string, Headers]> = [
  ...enrichers.document.map(({ name }): [string, Headers] => [name, { 'enrichers.document': name }]),
  ...[...Object.keys(fetchable.document), ...references].map((name): [string, Headers] => [
    `fetch ${name}`,
    { 'fetch.document': name },
  ]),
  ...Object.keys(fetchable.acls).map((name): [string, Headers] => [
    `fetch ${name} of ACLs`,
    { 'enrichers.document': 'acls', 'fetch.acls': name },
  ]),
  ...Object.keys(fetchable.group).map((name): [string, Headers] => [
    `fetch ${name} of groups`,
    { 'enrichers.document': 'acls', 'fetch.acls': 'username', 'fetch.group': name },
  ]),
  ...Object.keys(fetchable.task).map((name): [string, Headers] => [
    `fetch ${name} of tasks`,
    { 'enrichers.document': 'pendingTasks', 'fetch.task': name },
  ]),
  ...Object.keys(fetchable.workflow).map((name): [string, Headers] => [
    `fetch ${name} of workflows`,
    { 'enrichers.document': 'runningWorkflows', 'fetch.workflow': name },
  ]),
  ['fetch parent of entries', { 'fetch.document': 'properties', 'fetch.directoryEntry': 'parent' }],
  ['userprofile', { 'fetch.document': 'dc:creator', 'enrichers.user': 'userprofile' }],
];

/** Everything at once. */
const everything = wishes.reduce<Headers>((all, [, wish]) => {
  for (const [name, value] of Object.entries(wish)) all[name] = all[name] ? `${all[name]},${value}` : value;
  return all;
}, {});

/** What a read costs when it is not the first of its kind: who is asking and the ACLs are known then. */
async function cost(address: string, headers: Headers, id = 'Administrator'): Promise<number> {
  const agent = id === 'Administrator' ? server.request : as(server, id);
  await agent.get(`/api/v1${address}`).set(headers).expect(200);
  return statements(await agent.get(`/api/v1${address}`).set(headers).expect(200));
}

const children = ({ uid }: DocumentEntity) => `/id/${uid}/@children?pageSize=${most}`;

describe.each(['Administrator', 'ann'])('§4.9, §10 statements, for %s', (id) => {
  test.each(wishes)('%s: as many for 50 documents as for 2', async (_, wish) => {
    const headers = { ...wish, depth: 'max' };
    expect(await cost(children(many), headers, id)).toBe(await cost(children(few), headers, id));
  });

  test.each(wishes)('%s: at depth root as many for 50 documents as for 1', async (_, wish) => {
    const headers = { ...wish, depth: 'root' };
    expect(await cost(children(many), headers, id)).toBe(await cost(children(one), headers, id));
  });

  test('everything at once on a page: at most 20 at depth root, and as many again for each level', async () => {
    const costs = await Promise.all(
      ['root', 'children', 'max'].map((depth) => cost(children(many), { ...everything, depth }, id)),
    );
    const [root = 0, next = 0, max = 0] = costs;
    expect(root).toBeLessThanOrEqual(20);
    expect(next).toBeLessThanOrEqual(2 * root);
    expect(max).toBeLessThanOrEqual(4 * root);
  });

  test('ACLs and favorites of the documents of a breadcrumb: found together with those of the document', async () => {
    const headers = { 'enrichers.document': 'acls,permissions,breadcrumb,tags,favorites' };
    const address = `/id/${many.uid}`;
    const root = await cost(address, { ...headers, depth: 'root' }, id);
    expect(root).toBeLessThanOrEqual(4);
    expect(await cost(address, headers, id)).toBe(root);
  });

  test('everything at once on one document: at most 16 at depth root', async () => {
    expect(await cost(`/id/${many.uid}`, { ...everything, depth: 'root' }, id)).toBeLessThanOrEqual(16);
  });
});
