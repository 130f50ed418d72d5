import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type supertest from 'supertest';
import { call } from '../automation/calls.ts';
import { labelsOf, put, versionsOf } from '../rest/versions/requests.ts';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';
import { contradictions } from './consistency.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

afterEach(async () => {
  expect(await contradictions(server)).toEqual([]);
});

const run = (id: string, input: unknown, params: Record<string, unknown> = {}) =>
  call(server.request, id, { input, params });
const newSection = () => createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
const remove = (id: string) => server.request.delete(`/api/v1/id/${id}`);

/** All at once. */
const together = (sent: readonly supertest.Test[]) => Promise.all(sent.map(async (one) => one));
const statusesOf = (responses: readonly supertest.Response[]) => [
  ...new Set(responses.map(({ status }) => status)),
];

describe('Versions made at once (§11)', () => {
  test('one document, checked in twelve times: one version', async () => {
    const { uid } = await createDocument(server);
    const sent = Array.from({ length: 12 }, () => run('Document.CheckIn', uid, { version: 'minor' }));
    expect(statusesOf(await together(sent))).toEqual([200]);
    expect(await labelsOf(server.request, uid)).toEqual(['0.1']);
  });

  test('one document, changed with MINOR twelve times: twelve versions, none with the number of another', async () => {
    const { uid } = await createDocument(server);
    const headers = { 'X-Versioning-Option': 'MINOR' };
    const sent = Array.from({ length: 12 }, (_, at) =>
      put(server.request, uid, { 'dc:title': `${at}` }, headers),
    );
    expect(statusesOf(await together(sent))).toEqual([200]);
    expect(await labelsOf(server.request, uid)).toEqual(Array.from({ length: 12 }, (_, at) => `0.${at + 1}`));
  });

  test('versions deleted while others are made', async () => {
    const { uid } = await createDocument(server);
    for (let round = 0; round < 6; round += 1)
      await run('Document.CreateVersion', uid, { increment: 'Minor' });
    await run('Document.CheckOut', uid).expect(200);
    const doomed = await versionsOf(server.request, uid);
    const sent = doomed.flatMap(({ uid: id }) => [
      remove(id),
      run('Document.CreateVersion', uid, { increment: 'Major' }),
    ]);
    const answers = await together(sent);
    for (const { status } of answers) expect([200, 204, 403]).toContain(status);
    const gone = answers.filter(({ status }) => status === 204).length;
    expect(await versionsOf(server.request, uid)).toHaveLength(12 - gone);
  });
});

describe('Publications made at once (§11)', () => {
  test('one document in one section, twelve times: one proxy', async () => {
    const [section, { uid }] = [await newSection(), await createDocument(server)];
    const sent = Array.from({ length: 12 }, () =>
      run('Document.PublishToSection', uid, { target: section.uid }),
    );
    const answers = await together(sent);
    expect(statusesOf(answers)).toEqual([200]);
    expect(new Set(answers.map(({ body }) => body.uid)).size).toBe(1);
    expect(await labelsOf(server.request, uid)).toEqual(['0.1']);
  });

  test('documents of one name in one section: each under a name of its own', async () => {
    const section = await newSection();
    const documents = [];
    for (let at = 0; at < 8; at += 1) {
      const parent = await createDocument(server, { type: 'Folder' });
      documents.push(await createDocument(server, { parent: parent.path, name: 'same' }));
    }
    const sent = documents.map(({ uid }) => run('Document.PublishToSection', uid, { target: section.uid }));
    const answers = await together(sent);
    expect(statusesOf(answers)).toEqual([200]);
    expect(new Set(answers.map(({ body }) => body.path)).size).toBe(8);
  });

  test('a document, a section and a version that are deleted while it is published', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [one, two, { uid }] = [await newSection(), await newSection(), await createDocument(server)];
      await run('Document.CheckIn', uid, { version: 'minor' }).expect(200);
      const [version] = await versionsOf(server.request, uid);
      await run('Document.CheckOut', uid).expect(200);
      const doomed = [uid, one.uid, version?.uid ?? ''];
      const publish = (input: string) =>
        run('Document.PublishToSections', input, { target: [one.uid, two.uid], override: false });
      const sent = [publish(uid), remove(doomed[round % 3] ?? ''), publish(version?.uid ?? '')];
      for (const { status, text } of await together(sent))
        expect([200, 204, 403, 404, text]).toContain(status);
    }
  });

  test('a document that is published and unpublished', async () => {
    const [section, { uid }] = [await newSection(), await createDocument(server)];
    const sent = Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0
        ? run('Document.PublishToSection', uid, { target: section.uid, override: at % 4 === 0 })
        : run('Document.UnpublishAll', uid),
    );
    for (const { status } of await together(sent)) expect([200, 204]).toContain(status);
    await run('Document.UnpublishAll', uid).expect(204);
    const left = await server.database.prisma.document.count({ where: { liveId: uid, isProxy: true } });
    expect(left).toBe(0);
  });
});
