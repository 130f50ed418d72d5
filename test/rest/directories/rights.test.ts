import { beforeAll, describe, expect, test } from '@jest/globals';
import { exception } from '../../support/requests.ts';
import { type TestServer, useServer } from '../../support/server.ts';
import { as, createGroup, createUser } from '../../support/users.ts';
import { atDirectory, createEntry, entryBody } from './directory-requests.ts';

type Agent = TestServer['request'];

const server = useServer(
  {},
  {
    directories: [
      { name: 'hobby', schema: 'xvocabulary', parent: 'subject', entries: [{ id: 'h', parent: 'arts' }] },
    ],
  },
);
const agents: Record<string, Agent> = {};
beforeAll(async () => {
  await createGroup(server, 'editors', ['powerusers']);
  await createGroup(server, 'bosses', ['administrators']);
  const users = {
    nobody: [],
    member: ['members'],
    poweruser: ['powerusers'],
    editor: ['editors'],
    boss: ['bosses'],
    lookalike: ['members'],
  };
  for (const [id, groups] of Object.entries(users)) {
    await createUser(server, id, groups);
    agents[id] = as(server, id);
  }
  agents.Administrator = server.request;
});

const agent = (id: string): Agent => agents[id] ?? server.request;

const readers = ['nobody', 'member', 'lookalike'];
const editors = ['poweruser', 'editor', 'boss', 'Administrator'];
const administrators = ['boss', 'Administrator'];
const notAllowed = exception(403, 'Not allowed to edit directory');

/** Returns the responses to a user who creates, changes and deletes an entry. */
async function writesOf(id: string, directory: string, properties: Record<string, unknown>) {
  const { id: own } = await createEntry(server, directory, properties);
  const made = await agent(id)
    .post(atDirectory(directory))
    .send(entryBody(directory, { properties: { ...properties, id: `by-${id}` } }));
  const changed = await agent(id)
    .put(atDirectory(directory, own))
    .send(entryBody(directory, { id: own, properties: { label: 'x' } }));
  const gone = await agent(id).delete(atDirectory(directory, own));
  return { responses: [made, changed, gone], own };
}

describe('§4.5 permissions on directories', () => {
  test.each([...readers, ...editors])('%s can read directories and their entries', async (id) => {
    await agent(id).get('/api/v1/directory').expect(200);
    const { body } = await agent(id).get(atDirectory('nature')).expect(200);
    expect(body.resultsCount).toBeGreaterThan(30);
    await agent(id).get(atDirectory('nature', 'article')).expect(200);
    await agent(id).get(atDirectory('nosuch')).expect(204);
    await agent(id).get(atDirectory('nature', 'nosuch')).expect(404);
  });

  test.each(editors)('%s can create, change and delete entries', async (id) => {
    const { responses } = await writesOf(id, 'nature', {});
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 204]);
  });

  test.each(readers)('%s cannot change entries, and nothing is written', async (id) => {
    const { responses, own } = await writesOf(id, 'nature', { label: 'before' });
    for (const { body } of responses) expect(body).toMatchObject(notAllowed);
    expect((await server.request.get(atDirectory('nature', own))).body.properties.label).toBe('before');
    await server.request.get(atDirectory('nature', `by-${id}`)).expect(404);
  });

  test('a missing directory answers 404 with any permission', async () => {
    for (const id of ['nobody', 'Administrator']) {
      await agent(id)
        .post(atDirectory('nosuch'))
        .send(entryBody('nosuch', { properties: { id: 'a' } }))
        .expect(404);
      await agent(id).delete(atDirectory('nosuch', 'a')).expect(404);
    }
  });

  test('a user with the name of a group is not a member of it', async () => {
    await createUser(server, 'powerusers');
    const response = await as(server, 'powerusers')
      .post(atDirectory('nature'))
      .send(entryBody('nature', { properties: { id: 'no' } }));
    expect(response.status).toBe(403);
  });
});

describe('§4.5 system directories', () => {
  const names = async (id: string) => {
    const { body } = await agent(id).get('/api/v1/directory').expect(200);
    return body.entries.map(({ name }: { name: string }) => name);
  };
  const ordinary = [
    'continent',
    'country',
    'topic',
    'subtopic',
    'l10nsubjects',
    'l10ncoverage',
    'nature',
    'language',
    'predicates',
    'inverse_predicates',
    'WorkflowType',
  ];
  const contributed = ['hobby'];
  const system = [
    'subject',
    'search_operators',
    'documentsLists',
    'eventTypes',
    'eventCategories',
    'aceinfo',
    'oauth2Clients',
    'oauth2Tokens',
    'oauth2ServiceProviders',
    'authTokens',
  ];

  test.each(administrators)('%s gets them in the list', async (id) => {
    expect(await names(id)).toEqual([...ordinary, ...system, ...contributed]);
  });

  test.each([...readers, 'poweruser'])('%s does not get them in the list', async (id) => {
    expect(await names(id)).toEqual([...ordinary, ...contributed]);
    const { body } = await agent(id).get('/api/v1/directory?types=system').expect(200);
    expect(body.entries).toEqual([]);
  });

  test.each(administrators)('%s can read and edit their entries', async (id) => {
    await agent(id).get(atDirectory('subject')).expect(200);
    const { responses } = await writesOf(id, 'subject', {});
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 204]);
  });

  test.each([...readers, 'poweruser'])('%s can neither read nor edit their entries', async (id) => {
    const reads = [
      ...system.map((name) => agent(id).get(atDirectory(name))),
      agent(id).get(atDirectory('subject', 'arts')),
      agent(id).get(atDirectory('subject', 'nosuch')),
    ];
    for (const read of reads)
      expect((await read.expect(403)).body).toMatchObject(exception(403, expect.any(String)));
    const { responses, own } = await writesOf(id, 'subject', { label: 'before' });
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await server.request.get(atDirectory('subject', own))).body.properties.label).toBe('before');
  });
});

describe('§10 fetch.directoryEntry: parent, of a system directory', () => {
  const parentFor = async (id: string) =>
    (await agent(id).get(atDirectory('hobby', 'h')).set('fetch.directoryEntry', 'parent').expect(200)).body
      .properties.parent;

  test('is resolved for administrators and stays an id for other users', async () => {
    for (const id of administrators)
      expect(await parentFor(id)).toMatchObject({ id: 'arts', directoryName: 'subject' });
    for (const id of [...readers, 'poweruser']) expect(await parentFor(id)).toBe('arts');
  });
});

describe('§4.5 the directories of users and groups', () => {
  test.each(['userDirectory', 'groupDirectory'])('%s answers 400 to every method', async (name) => {
    const body = entryBody(name, { id: 'Administrator', properties: { id: 'Administrator' } });
    const said = exception(400, expect.stringContaining(name));
    const { request } = server;
    expect((await request.get(atDirectory(name)).expect(400)).body).toMatchObject(said);
    expect((await request.post(atDirectory(name)).send(body).expect(400)).body).toMatchObject(said);
    expect((await request.get(atDirectory(name, 'Administrator')).expect(400)).body).toMatchObject(said);
    expect((await request.put(atDirectory(name, 'Administrator')).send(body).expect(400)).body).toMatchObject(
      said,
    );
    expect((await request.delete(atDirectory(name, 'Administrator')).expect(400)).body).toMatchObject(said);
  });
});
