import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestServer } from '../../support/server.ts';
import { as, createGroup, createUser } from '../../support/users.ts';
import { startWithModel } from '../documents/requests.ts';
import { at, createEntry, entry, fault } from './requests.ts';

type Agent = TestServer['request'];

let server: TestServer;
const agents: Record<string, Agent> = {};
beforeAll(async () => {
  server = await startWithModel({
    directories: [
      { name: 'hobby', schema: 'xvocabulary', parent: 'subject', entries: [{ id: 'h', parent: 'arts' }] },
    ],
  });
  await createGroup(server, 'editors', ['powerusers']);
  await createGroup(server, 'bosses', ['administrators']);
  const users = {
    ...{ nobody: [], member: ['members'], poweruser: ['powerusers'], editor: ['editors'] },
    ...{ boss: ['bosses'], lookalike: ['members'] },
  };
  for (const [id, groups] of Object.entries(users)) {
    await createUser(server, id, groups);
    agents[id] = as(server, id);
  }
  agents.Administrator = server.request;
});
afterAll(() => server.stop());

const agent = (id: string): Agent => agents[id] ?? server.request;

const readers = ['nobody', 'member', 'lookalike'];
const editors = ['poweruser', 'editor', 'boss', 'Administrator'];
const administrators = ['boss', 'Administrator'];
const notAllowed = fault(403, 'Not allowed to edit directory');

/** What somebody is answered who makes, changes and removes an entry. */
async function writesOf(id: string, directory: string, properties: Record<string, unknown>) {
  const { id: own } = await createEntry(server, directory, properties);
  const made = await agent(id)
    .post(at(directory))
    .send(entry(directory, { properties: { ...properties, id: `by-${id}` } }));
  const changed = await agent(id)
    .put(at(directory, own))
    .send(entry(directory, { id: own, properties: { label: 'x' } }));
  const gone = await agent(id).delete(at(directory, own));
  return { responses: [made, changed, gone], own };
}

describe('§4.5 rights', () => {
  test.each([...readers, ...editors])('%s reads directories and their entries', async (id) => {
    await agent(id).get('/api/v1/directory').expect(200);
    const { body } = await agent(id).get(at('nature')).expect(200);
    expect(body.resultsCount).toBeGreaterThan(30);
    await agent(id).get(at('nature', 'article')).expect(200);
    await agent(id).get(at('nosuch')).expect(204);
    await agent(id).get(at('nature', 'nosuch')).expect(404);
  });

  test.each(editors)('%s makes, changes and removes entries', async (id) => {
    const { responses } = await writesOf(id, 'nature', {});
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 204]);
  });

  test.each(readers)('%s does not, and nothing is written', async (id) => {
    const { responses, own } = await writesOf(id, 'nature', { label: 'before' });
    for (const { body } of responses) expect(body).toMatchObject(notAllowed);
    expect((await server.request.get(at('nature', own))).body.properties.label).toBe('before');
    await server.request.get(at('nature', `by-${id}`)).expect(404);
  });

  test('a missing directory is 404 for everybody', async () => {
    for (const id of ['nobody', 'Administrator']) {
      await agent(id)
        .post(at('nosuch'))
        .send(entry('nosuch', { properties: { id: 'a' } }))
        .expect(404);
      await agent(id).delete(at('nosuch', 'a')).expect(404);
    }
  });

  test('a user who is merely called like a group is no member of it', async () => {
    await createUser(server, 'powerusers');
    const response = await as(server, 'powerusers')
      .post(at('nature'))
      .send(entry('nature', { properties: { id: 'no' } }));
    expect(response.status).toBe(403);
  });
});

describe('§4.5 system directories', () => {
  const names = async (id: string) => {
    const { body } = await agent(id).get('/api/v1/directory').expect(200);
    return body.entries.map(({ name }: { name: string }) => name);
  };
  const ordinary = [
    ...['continent', 'country', 'topic', 'subtopic', 'l10nsubjects', 'l10ncoverage', 'nature', 'language'],
    ...['predicates', 'inverse_predicates', 'WorkflowType'],
  ];
  const contributed = ['hobby'];
  const system = [
    ...['userDirectory', 'groupDirectory', 'subject', 'search_operators', 'documentsLists', 'eventTypes'],
    ...[
      'eventCategories',
      'aceinfo',
      'oauth2Clients',
      'oauth2Tokens',
      'oauth2ServiceProviders',
      'authTokens',
    ],
  ];

  test.each(administrators)('%s sees them in the list', async (id) => {
    expect(await names(id)).toEqual([...ordinary, ...system, ...contributed]);
  });

  test.each([...readers, 'poweruser'])('%s does not', async (id) => {
    expect(await names(id)).toEqual([...ordinary, ...contributed]);
    const { body } = await agent(id).get('/api/v1/directory?types=system').expect(200);
    expect(body.entries).toEqual([]);
  });

  test.each(administrators)('%s reads and edits their entries', async (id) => {
    await agent(id).get(at('subject')).expect(200);
    const { responses } = await writesOf(id, 'subject', {});
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 204]);
  });

  test.each([...readers, 'poweruser'])('%s does neither', async (id) => {
    const reads = [
      ...system.map((name) => agent(id).get(at(name))),
      ...[agent(id).get(at('subject', 'arts')), agent(id).get(at('subject', 'nosuch'))],
    ];
    for (const read of reads)
      expect((await read.expect(403)).body).toMatchObject(fault(403, expect.any(String)));
    const { responses, own } = await writesOf(id, 'subject', { label: 'before' });
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await server.request.get(at('subject', own))).body.properties.label).toBe('before');
  });
});

describe('§10 fetch.directoryEntry: parent, of a system directory', () => {
  const parentFor = async (id: string) =>
    (await agent(id).get(at('hobby', 'h')).set('fetch.directoryEntry', 'parent').expect(200)).body.properties
      .parent;

  test('is shown to administrators, and stays an id for others', async () => {
    for (const id of administrators)
      expect(await parentFor(id)).toMatchObject({ id: 'arts', directoryName: 'subject' });
    for (const id of [...readers, 'poweruser']) expect(await parentFor(id)).toBe('arts');
  });
});

describe('§4.5 the directories of users and groups', () => {
  test.each(['userDirectory', 'groupDirectory'])('%s is not served here: 400', async (name) => {
    const body = entry(name, { id: 'Administrator', properties: { id: 'Administrator' } });
    const said = fault(400, expect.stringContaining(name));
    const { request } = server;
    expect((await request.get(at(name)).expect(400)).body).toMatchObject(said);
    expect((await request.post(at(name)).send(body).expect(400)).body).toMatchObject(said);
    expect((await request.get(at(name, 'Administrator')).expect(400)).body).toMatchObject(said);
    expect((await request.put(at(name, 'Administrator')).send(body).expect(400)).body).toMatchObject(said);
    expect((await request.delete(at(name, 'Administrator')).expect(400)).body).toMatchObject(said);
  });
});
