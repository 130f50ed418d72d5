import { randomUUID } from 'node:crypto';
import { grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity, documentBody } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import type { TestServer } from '../../support/server.ts';
import { createGroup, createUser } from '../../support/users.ts';

/** The documents and users that the tested lists belong to. */
export interface ManyEntries {
  readonly folder: DocumentEntity;
  readonly ordered: DocumentEntity;
  readonly file: DocumentEntity;
  readonly collection: DocumentEntity;
}

/** The number of entries in every list. */
export const count = 9;

const each = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

/** A date that two consecutive entries share. */
const moment = (index: number): Date => new Date(Date.UTC(2024, 0, 1 + Math.floor(index / 2)));

async function makeDocuments(server: TestServer): Promise<ManyEntries> {
  const folder = await createDocument(server, { type: 'Folder' });
  const ordered = await createDocument(server, { type: 'OrderedFolder' });
  const file = await createDocument(server);
  const collection = await createDocument(server, { type: 'Collection' });
  for (let index = 0; index < count; index += 1) {
    const properties = {
      'dc:title': `t${index % 3}`,
      ...(index % 4 > 0 && { 'dc:source': `s${index % 2}` }),
      ...(index % 5 > 0 && { 'dc:issued': moment(index).toISOString() }),
    };
    const { uid } = await createDocument(server, { parent: folder.path, name: `n${index}`, properties });
    await createDocument(server, { parent: ordered.path, name: `o${count - index}` });
    await call(server.request, 'Document.AddToCollection', {
      input: uid,
      params: { collection: collection.uid },
    });
    await server.request
      .put(atId(file.uid))
      .send(documentBody({ uid: file.uid, properties: { 'dc:title': `v${index}` } }))
      .expect(200);
    await call(server.request, 'Document.CreateVersion', { input: file.uid, params: { increment: 'Minor' } });
  }
  await setAcl(server, folder.path, [grant('bob', 'Read')]);
  return { folder, ordered, file, collection };
}

async function makeRows({ database: { prisma } }: TestServer, documentId: string): Promise<void> {
  const repository = 'default';
  const ofUser = { userId: 'bob', application: 'app', permission: 'r', deviceDescription: '' };
  const workflows = each((index) => ({
    repository,
    id: randomUUID(),
    model: 'SerialDocumentReview',
    initiator: 'Administrator',
    node: 'Task38e',
    createdAt: moment(index),
  }));
  await prisma.workflow.createMany({ data: workflows });
  await prisma.workflowDocument.createMany({
    data: workflows.map(({ id: workflowId }) => ({ repository, workflowId, documentId, position: 0 })),
  });
  const [{ id: workflowId } = { id: '' }] = workflows;
  await prisma.task.createMany({
    data: each((index) => ({
      repository,
      id: randomUUID(),
      workflowId,
      node: 'Task38e',
      actors: ['user:Administrator', 'user:bob'],
      delegatedActors: [],
      createdAt: moment(index),
      dueAt: index % 3 > 0 ? moment(index % 4) : null,
    })),
  });
  await prisma.mail.createMany({
    data: each((index) => ({
      createdBy: 'bob',
      to: [],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: `m${index}`,
      status: 'kept',
      createdAt: moment(index),
    })),
  });
  await prisma.job.createMany({
    data: each((index) => ({ kind: 'test', key: 'a', state: 'set-aside', createdAt: moment(index) })),
  });
  await prisma.bulkCommand.createMany({
    data: each((index) => ({
      id: randomUUID(),
      repository,
      username: 'bob',
      action: 'trash',
      parameters: {},
      query: {},
      state: 'COMPLETED',
      total: index,
      submittedAt: moment(index),
    })),
  });
  await prisma.loginToken.createMany({
    data: each((index) => ({
      ...ofUser,
      id: randomUUID(),
      hash: `h${index}`,
      deviceId: `d${index}`,
      createdAt: moment(index),
    })),
  });
  const ofClient = { redirectUris: ['https://a.example/'], autoGrant: false, enabled: true };
  await prisma.oAuth2Client.createMany({
    data: each((index) => ({ ...ofClient, clientId: `c${index}`, name: `c${index}` })),
  });
}

/** Creates entries of every list, many of which have equal sort keys. */
export async function manyEntries(server: TestServer): Promise<ManyEntries> {
  await createGroup(server, 'g');
  await createUser(server, 'bob', ['members']);
  for (let index = 0; index < count; index += 1) {
    await createUser(server, `u${index}`, ['g']);
    await createGroup(server, `h${index}`, ['g']);
    await server.request
      .post('/api/v1/group')
      .send({ 'entity-type': 'group', groupname: `made${index}` })
      .expect(201);
  }
  const made = await makeDocuments(server);
  const at = atId(made.file.uid);
  for (let index = 0; index < count; index += 1) {
    const comment = { text: `c${index}`, parentId: made.file.uid };
    await server.request.post(`${at}/@share`).send({ 'entity-type': 'shareLink' }).expect(201);
    await server.request
      .post(`${at}/@comment`)
      .send({ 'entity-type': 'comment', ...comment })
      .expect(201);
    await server.request
      .post(`${at}/@annotation`)
      .send({ 'entity-type': 'annotation', ...comment, xpath: 'file:content' })
      .expect(201);
    await server.request.post('/api/v1/search/saved').send({
      'entity-type': 'savedSearch',
      title: `s${index % 4}`,
      query: 'SELECT * FROM File',
      queryLanguage: 'NXQL',
    });
  }
  await makeRows(server, made.file.uid);
  return made;
}
