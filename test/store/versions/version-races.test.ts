import { describe, expect, test } from '@jest/globals';
import type supertest from 'supertest';
import { labelsOf, versionsOf } from '../../rest/versions/version-requests.ts';
import { createDocument, updateDocument } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { checkConsistency } from '../consistency.ts';

const server = useServer();
checkConsistency(server);

const run = calling(server);
const newSection = () => createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
const remove = (id: string) => server.request.delete(`/api/v1/id/${id}`);

/** Sends all requests concurrently. */
const together = (sent: readonly supertest.Test[]) => Promise.all(sent.map(async (one) => one));
const statusesOf = (responses: readonly supertest.Response[]) => [
  ...new Set(responses.map(({ status }) => status)),
];

describe('Concurrent versioning (§11)', () => {
  test('creates one version from twelve check-ins of one document', async () => {
    const { uid } = await createDocument(server);
    const sent = Array.from({ length: 12 }, () => run('Document.CheckIn', uid, { version: 'minor' }));
    expect(statusesOf(await together(sent))).toEqual([200]);
    expect(await labelsOf(server.request, uid)).toEqual(['0.1']);
  });

  test('creates twelve versions with different numbers from twelve changes with MINOR', async () => {
    const { uid } = await createDocument(server);
    const headers = { 'X-Versioning-Option': 'MINOR' };
    const sent = Array.from({ length: 12 }, (_, at) =>
      updateDocument(server.request, uid, { 'dc:title': `${at}` }, headers),
    );
    expect(statusesOf(await together(sent))).toEqual([200]);
    expect(await labelsOf(server.request, uid)).toEqual(Array.from({ length: 12 }, (_, at) => `0.${at + 1}`));
  });

  test('keeps the new versions while others are deleted', async () => {
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

describe('Concurrent publishing (§11)', () => {
  test('creates one proxy from twelve calls for one document and one section', async () => {
    const [section, { uid }] = [await newSection(), await createDocument(server)];
    const sent = Array.from({ length: 12 }, () =>
      run('Document.PublishToSection', uid, { target: section.uid }),
    );
    const answers = await together(sent);
    expect(statusesOf(answers)).toEqual([200]);
    expect(new Set(answers.map(({ body }) => body.uid)).size).toBe(1);
    expect(await labelsOf(server.request, uid)).toEqual(['0.1']);
  });

  test('gives documents of one name different names in one section', async () => {
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

  test('has an expected status while the document, a section or a version is deleted', async () => {
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

  test('leaves no proxy after alternating publishing and unpublishing', async () => {
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
