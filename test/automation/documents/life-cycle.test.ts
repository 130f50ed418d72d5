import { describe, expect, test } from '@jest/globals';
import { lifeCycle } from '../../../src/model/life-cycle.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { askGraphql, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, useUsers } from '../../support/users.ts';

const server = useServer();
useUsers(server, 'bob');

const follow = (input: string, value: string, who = server.request) =>
  call(who, 'Document.FollowLifecycleTransition', { input, params: { value } });

/** A document whose state is written to the database directly. */
async function documentIn(state: string): Promise<DocumentEntity> {
  const document = await createDocument(server);
  await server.database.prisma.document.updateMany({ where: { id: document.uid }, data: { state } });
  return document;
}

/** §3, written down a second time: the transitions from each state, with the states that they lead to. */
const steps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  project: { approve: 'approved', obsolete: 'obsolete' },
  approved: { backToProject: 'project' },
  obsolete: { backToProject: 'project' },
};

describe.each(Object.entries(steps))('§3 from the state %s', (state, ways) => {
  test.each(Object.entries(ways))('%s leads to %s', async (transition, to) => {
    const { uid } = await documentIn(state);
    expect((await follow(uid, transition).expect(200)).body.state).toBe(to);
    expect((await server.request.get(`/api/v1/id/${uid}`)).body.state).toBe(to);
  });

  const others = ['approve', 'obsolete', 'backToProject'].filter((name) => !Object.hasOwn(ways, name));
  test.each(others)('%s answers 409 and changes nothing', async (transition) => {
    const { uid } = await documentIn(state);
    const before = (await server.request.get(`/api/v1/id/${uid}`)).body;
    const { body } = await follow(uid, transition).expect(409);
    const would = [...Object.keys(ways), 'delete'].join(', ');
    expect(body.message).toBe(
      `The transition ${transition} is not possible in the state ${state}. Possible transitions: ${would}.`,
    );
    expect((await server.request.get(`/api/v1/id/${uid}`)).body).toEqual(before);
  });
});

test('a new document is in the initial state', async () => {
  const { uid } = await createDocument(server);
  expect((await server.request.get(`/api/v1/id/${uid}`)).body.state).toBe(lifeCycle.initial);
});

test('a transition records the contributor and checks the document out', async () => {
  const document = await createDocument(server);
  const where = { id: document.uid };
  await server.database.prisma.document.updateMany({ where, data: { isCheckedOut: false } });
  await setAcl(server, document.path, [grant('bob', 'ReadWrite')]);
  const { body } = await follow(document.uid, 'approve', as(server, 'bob')).expect(200);
  expect(body).toMatchObject({ isCheckedOut: true, changeToken: '0-1' });
  expect(body.properties).toMatchObject({
    'dc:creator': 'Administrator',
    'dc:lastContributor': 'bob',
    'dc:contributors': ['Administrator', 'bob'],
  });
  expect(body.lastModified > String(document.properties['dc:modified'])).toBe(true);
});

test('a document has delete among its transitions out of the trash, and undelete in it', async () => {
  const { uid: id } = await createDocument(server);
  const query = 'query ($id: ID!) { document(id: $id) { transitions } }';
  const transitions = async () =>
    (await askGraphql<{ document: { transitions: string[] } }>(server.request, query, { id })).document
      .transitions;
  expect(await transitions()).toEqual(['approve', 'obsolete', 'delete']);
  await follow(id, 'delete').expect(200);
  expect(await transitions()).toEqual(['approve', 'obsolete', 'undelete']);
  expect((await follow(id, 'backToProject').expect(409)).body.message).toMatch(
    /Possible transitions: approve, obsolete, undelete\.$/,
  );
  await follow(id, 'undelete').expect(200);
  expect(await transitions()).toEqual(['approve', 'obsolete', 'delete']);
});

test('a proxy refuses transitions', async () => {
  const { uid: input } = await createDocument(server);
  const params = { target: '/default-domain/sections' };
  const { body } = await call(server.request, 'Document.PublishToSection', { input, params }).expect(200);
  expect((await follow(body.uid, 'approve').expect(400)).body.message).toMatch(/is a proxy/);
});

test('a version refuses transitions', async () => {
  const { uid } = await createDocument(server);
  await server.database.prisma.document.updateMany({ where: { id: uid }, data: { isVersion: true } });
  expect((await follow(uid, 'approve').expect(400)).body.message).toMatch(/is a version/);
  await server.database.prisma.document.updateMany({ where: { id: uid }, data: { isVersion: false } });
});

test('Document.SetLifeCycle is an alias that logs both states, with two statements in total', async () => {
  const { uid } = await createDocument(server);
  const params = { value: 'obsolete' };
  const done = await call(server.request, 'Document.SetLifeCycle', { input: uid, params }).expect(200);
  expect(statements(done)).toBe(2);
  const entry = await server.database.prisma.logEntry.findFirst({
    where: { docUuid: uid, eventId: 'lifecycle_transition_event' },
  });
  expect(entry).toMatchObject({
    category: 'eventLifeCycleCategory',
    docLifeCycle: 'obsolete',
    extended: { from: 'project', to: 'obsolete', transition: 'obsolete' },
  });
});
