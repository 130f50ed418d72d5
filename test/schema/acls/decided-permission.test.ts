import { beforeAll, describe, expect, test } from '@jest/globals';
import { decided } from '../../../web/src/graphql/operations.ts';
import { comment } from '../../rest/comments/comment-requests.ts';
import { idOf, versionsOf } from '../../rest/versions/version-requests.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { createGroup, useUser } from '../../support/users.ts';

const server = useServer();
const ann = useUser(server, 'ann');
const bob = useUser(server, 'bob');
let top: DocumentEntity;
let middle: DocumentEntity;
let below: DocumentEntity;
beforeAll(async () => {
  await createGroup(server, 'staff');
  await server.request.post('/api/v1/user/ann/group/staff').expect(201);
  top = await createDocument(server, { type: 'Folder' });
  middle = await createDocument(server, { type: 'Folder', parent: top.path });
  below = await createDocument(server, { type: 'Folder', parent: middle.path });
  await setAcl(server, top.path, [grant('staff', 'ReadWrite'), grant('bob', 'Browse')]);
  await setAcl(server, middle.path, [deny('ann', 'WriteProperties')]);
});

const query = `query ($id: ID!, $user: ID) { document(id: $id) { decidedPermissions(user: $user) {
  permission granted reason ace { username permission granted } place { path } } } }`;

interface Row {
  readonly permission: string;
  readonly granted: boolean;
  readonly reason: string;
}

/** What decides each permission of a user, by its name. */
async function decidedFor(user: string | undefined, id = below.uid) {
  const sent = server.request.post('/graphql').send({ query, variables: { id, user } });
  const { body, headers } = await sent.expect(200);
  expect(body.errors).toBeUndefined();
  const rows: Row[] = body.data.document.decidedPermissions;
  return { rows: new Map(rows.map((row) => [row.permission, row])), cost: statements({ headers }) };
}

describe('§2.5 decidedPermissions', () => {
  test('names the entry that decides, and the document it stands on', async () => {
    const { rows } = await decidedFor('ann');
    expect(rows.get('AddChildren')).toEqual({
      permission: 'AddChildren',
      granted: true,
      reason: 'ace',
      ace: { username: 'staff', permission: 'ReadWrite', granted: true },
      place: { path: top.path },
    });
    expect(rows.get('WriteProperties')).toMatchObject({
      granted: false,
      reason: 'ace',
      place: { path: middle.path },
    });
    expect(rows.get('Everything')).toMatchObject({
      granted: false,
      reason: 'nothing',
      ace: null,
      place: null,
    });
  });

  test('names them for a comment on a version (§4.7)', async () => {
    await setAcl(server, below.path, [grant('ann', 'Version')]);
    const { uid, path } = await createDocument(server, { parent: below.path });
    await calling(server)('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
    await setAcl(server, path, [deny('ann', 'Version'), grant('bob', 'ReadVersion')]);
    const { id } = await comment(server.request, idOf(await versionsOf(server.request, uid), 0));
    const { rows } = await decidedFor('bob', id);
    expect(rows.get('Read')).toMatchObject({ ace: grant('bob', 'Read'), place: { path } });
    expect(rows.get('ReadSecurity')).toMatchObject({ ace: deny('bob', 'ReadSecurity'), place: { path } });
    const { rows: ofAnn } = await decidedFor('ann', id);
    expect(ofAnn.get('Read')).toMatchObject({ ace: deny('ann', 'Read'), place: { path } });
    expect(ofAnn.get('WriteProperties')).toMatchObject({ granted: false, place: { path: middle.path } });
    expect(ofAnn.get('AddChildren')).toMatchObject({ granted: true, place: { path: top.path } });
    await setAcl(server, below.path, []);
  });

  test('costs as many statements below as above', async () => {
    const costs: number[] = [];
    for (const { uid } of [middle, below, middle, below]) costs.push((await decidedFor('ann', uid)).cost);
    expect(costs[2]).toBe(costs[3]);
  });

  test('agrees with what REST lets the user do', async () => {
    const { rows } = await decidedFor('ann');
    const { body } = await ann
      .get(`/api/v1/id/${below.uid}`)
      .set('enrichers.document', 'permissions')
      .expect(200);
    const granted = [...rows.values()].filter((row) => row.granted).map(({ permission }) => permission);
    expect(body.contextParameters.permissions.toSorted()).toEqual(granted.toSorted());
  });

  test('says that a lock of another user denies writing', async () => {
    const { uid } = await createDocument(server, { type: 'Folder', parent: top.path });
    await server.request.post('/api/v1/automation/Document.Lock').send({ input: uid }).expect(200);
    const { rows } = await decidedFor('ann', uid);
    expect(rows.get('WriteProperties')).toMatchObject({ granted: false, reason: 'lock' });
    expect(rows.get('Read')).toMatchObject({ granted: true, reason: 'ace' });
  });

  test('grants administrators everything', async () => {
    const { rows } = await decidedFor(undefined);
    expect([...rows.values()].every(({ granted, reason }) => granted && reason === 'administrator')).toBe(
      true,
    );
  });

  test('is of an existing user', async () => {
    const sent = server.request
      .post('/graphql')
      .send({ query, variables: { id: below.uid, user: 'nobody-here' } });
    const { body } = await sent.expect(200);
    expect(body.data).toEqual({ document: { decidedPermissions: null } });
  });

  test('is the own business of a user without ReadSecurity', async () => {
    await setAcl(server, below.path, [deny('bob', 'ReadSecurity'), grant('bob', 'Read')]);
    const ask = (user: string) =>
      bob.post('/graphql').send({ query: decided.text, variables: { id: below.uid, user } });
    const { body } = await ask('ann');
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
    const own = await ask('bob');
    expect(own.body.data.document.decidedPermissions).toContainEqual({
      permission: 'ReadSecurity',
      granted: false,
      reason: 'ace',
      ace: { username: 'bob', permission: 'ReadSecurity', granted: false, creator: 'Administrator' },
      place: { uid: below.uid, title: below.title, path: below.path },
    });
  });
});
