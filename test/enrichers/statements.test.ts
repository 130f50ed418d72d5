/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { enrichers } from '../../src/enrichers/index.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { referenceNames } from '../../src/model/values/references.ts';
import { fetchProperties } from '../../src/rest/fetch-properties.ts';
import type { DocumentEntity } from '../support/documents.ts';
import { statements, useServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { fullFolder } from './full-folder.ts';

type Headers = Record<string, string>;

const most = 7;
const server = useServer();
let [one, few, many] = [] as unknown as [DocumentEntity, DocumentEntity, DocumentEntity];
beforeAll(async () => {
  await createUser(server, 'ann', ['members']);
  [one, few, many] = [
    await fullFolder(server, 1),
    await fullFolder(server, 2),
    await fullFolder(server, most),
  ];
});

const model = await loadModel(undefined);

/** The references in the documents: one value and one list of each kind. */
const references = referenceNames({
  schemas: new Map((model.types.get('Workspace')?.schemas ?? []).map((schema) => [schema.name, schema])),
});

/** The headers of each enricher, and of each fetch property of documents and nested entities, alone. */
const wishes: Array<[string, Headers]> = [
  ...enrichers.document.map(({ name }): [string, Headers] => [name, { 'enrichers.document': name }]),
  ...[...Object.keys(fetchProperties.document), ...references].map((name): [string, Headers] => [
    `fetch ${name}`,
    { 'fetch.document': name },
  ]),
  ...Object.keys(fetchProperties.acls).map((name): [string, Headers] => [
    `fetch ${name} of ACLs`,
    { 'enrichers.document': 'acls', 'fetch.acls': name },
  ]),
  ...Object.keys(fetchProperties.group).map((name): [string, Headers] => [
    `fetch ${name} of groups`,
    { 'enrichers.document': 'acls', 'fetch.acls': 'username', 'fetch.group': name },
  ]),
  ...Object.keys(fetchProperties.task).map((name): [string, Headers] => [
    `fetch ${name} of tasks`,
    { 'enrichers.document': 'pendingTasks', 'fetch.task': name },
  ]),
  ...Object.keys(fetchProperties.workflow).map((name): [string, Headers] => [
    `fetch ${name} of workflows`,
    { 'enrichers.document': 'runningWorkflows', 'fetch.workflow': name },
  ]),
  ['fetch parent of entries', { 'fetch.document': 'properties', 'fetch.directoryEntry': 'parent' }],
  ['userprofile', { 'fetch.document': 'dc:creator', 'enrichers.user': 'userprofile' }],
];

/** All headers combined. */
const everything = wishes.reduce<Headers>((all, [, wish]) => {
  for (const [name, value] of Object.entries(wish)) all[name] = all[name] ? `${all[name]},${value}` : value;
  return all;
}, {});

const warm = new Set<string>();

/** The statements of a repeated read, when the user and the ACLs are cached. */
async function cost(address: string, headers: Headers, id = 'Administrator'): Promise<number> {
  const agent = id === 'Administrator' ? server.request : as(server, id);
  if (!warm.has(`${id} ${address}`)) {
    await agent
      .get(`/api/v1${address}`)
      .set({ ...everything, depth: 'max' })
      .expect(200);
    warm.add(`${id} ${address}`);
  }
  return statements(await agent.get(`/api/v1${address}`).set(headers).expect(200));
}

/** The lesser of two reads, since one of them may have to read again what is cached for a minute. */
const leastCost = async (...read: Parameters<typeof cost>): Promise<number> =>
  Math.min(await cost(...read), await cost(...read));

const children = ({ uid }: DocumentEntity) => `/id/${uid}/@children?pageSize=${most}`;

/** The statements of some pages; what is cached for a minute may have to be read again by one of them. */
async function costs(folders: readonly DocumentEntity[], headers: Headers, id: string): Promise<number[]> {
  const ask = async () => {
    const found: number[] = [];
    for (const folder of folders) found.push(await cost(children(folder), headers, id));
    return found;
  };
  const found = await ask();
  return new Set(found).size > 1 ? ask() : found;
}

describe('§4.9, §10 the number of statements for ann', () => {
  test.each(wishes)('with %s is the same for seven documents as for two', async (_, wish) => {
    const [most, two] = await costs([many, few], { ...wish, depth: 'max' }, 'ann');
    expect(most).toBe(two);
  });
});

describe.each(['Administrator', 'ann'])('§4.9, §10 the number of statements for %s', (id) => {
  test.each(['root', 'children', 'max'])(
    'with all headers at depth %s is the same for seven documents as for two or one',
    async (depth) => {
      const [most, two, single] = await costs([many, few, one], { ...everything, depth }, id);
      expect([most, single]).toEqual([two, two]);
    },
  );

  test('with all headers on a page is at most 20 at depth root, and doubles with each depth', async () => {
    const costs = await Promise.all(
      ['root', 'children', 'max'].map((depth) => cost(children(many), { ...everything, depth }, id)),
    );
    const [root = 0, next = 0, max = 0] = costs;
    expect(root).toBeLessThanOrEqual(20);
    expect(next).toBeLessThanOrEqual(2 * root);
    expect(max).toBeLessThanOrEqual(4 * root);
  });

  test('with ACLs and favorites of a breadcrumb is the same as without the breadcrumb', async () => {
    const headers = { 'enrichers.document': 'acls,permissions,breadcrumb,tags,favorites' };
    const address = `/id/${many.uid}`;
    const root = await leastCost(address, { ...headers, depth: 'root' }, id);
    expect(root).toBeLessThanOrEqual(4);
    expect(await leastCost(address, headers, id)).toBe(root);
  });

  test('with all headers on one document is at most 16 at depth root', async () => {
    const root = await leastCost(`/id/${many.uid}`, { ...everything, depth: 'root' }, id);
    expect(root).toBeLessThanOrEqual(16);
  });
});
