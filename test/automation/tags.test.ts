import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanLabel } from '../../src/model/tags.ts';
import { contradictions } from '../store/consistency.ts';
import { deny, grant, setAcl } from '../support/acls.ts';
import { consistently } from '../support/consistently.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { statements, type TestServer } from '../support/server.ts';
import { call } from './calls.ts';

let server: TestServer;
let bob: TestServer['request'];
consistently(
  (started) => {
    ({ server, bob } = started);
  },
  { groups: ['members'] },
);

const run = (id: string, input: unknown, params: Record<string, unknown> = {}) =>
  call(server.request, id, { input, params });
const tag = (input: unknown, tags: unknown) => run('Services.TagDocument', input, { tags });
const read = async (uid: string): Promise<DocumentEntity> =>
  (await server.request.get(`/api/v1/id/${uid}`).expect(200)).body;

/** Label and user of each tag. */
const tagsOf = async (uid: string): Promise<string[]> =>
  ((await read(uid)).properties['nxtag:tags'] as Array<{ label: string; username: string }>).map(
    ({ label, username }) => `${label} by ${username}`,
  );

/** The labels by which a document is found. */
const found = async (documentId: string): Promise<string[]> => {
  const where = { documentId };
  return (await server.database.prisma.documentTag.findMany({ where, orderBy: { label: 'asc' } })).map(
    ({ label }) => label,
  );
};

const entriesOf = async (docUuid: string): Promise<string[]> =>
  (await server.database.prisma.logEntry.findMany({ where: { docUuid } })).map(({ eventId }) => eventId);

const some = (count: number) => Promise.all(Array.from({ length: count }, () => createDocument(server)));

describe('Services.TagDocument', () => {
  test('answers the document, which has the labels, clean, each once', async () => {
    const { uid, path } = await createDocument(server);
    const { body } = await tag(path, "Été 2024, A/b\\c, it's, 50%, it's").expect(200);
    expect(body).toMatchObject({ 'entity-type': 'document', uid });
    const labels = ['été2024', 'abc', 'its', '50'];
    expect(await tagsOf(uid)).toEqual(labels.map((label) => `${label} by Administrator`));
    expect(await found(uid)).toEqual([...labels].sort());
    await call(bob, 'Services.TagDocument', { input: uid, params: { tags: ['ITS', 'new'] } }).expect(200);
    expect(await tagsOf(uid)).toEqual([...labels.map((label) => `${label} by Administrator`), 'new by bob']);
  });

  test('answers every document of a list, at the same cost for fifty as for one', async () => {
    const documents = await some(50);
    const uids = documents.map(({ uid }) => uid);
    const one = await tag([uids[0]], 'first').expect(200);
    const all = await tag(uids, 'second').expect(200);
    expect(all.body.entries.map(({ uid }: DocumentEntity) => uid)).toEqual(uids);
    expect(statements(all)).toBe(statements(one));
    expect(await found(uids[49] ?? '')).toEqual(['second']);
  });

  test('is no change by the user, who needs Read alone (§2.1)', async () => {
    const document = await createDocument(server);
    await setAcl(server, document.path, [grant('bob', 'Read'), deny('Everyone', 'Everything')]);
    const before = await read(document.uid);
    await call(bob, 'Services.TagDocument', { input: document.uid, params: { tags: 'mine' } }).expect(200);
    const after = await read(document.uid);
    expect(after.changeToken).toBe('1-0');
    for (const xpath of ['dc:modified', 'dc:contributors', 'dc:lastContributor'])
      expect(after.properties[xpath]).toEqual(before.properties[xpath]);
    expect(await entriesOf(document.uid)).not.toContain('documentModified');
    await server.request
      .put(`/api/v1/id/${document.uid}`)
      .send({ 'entity-type': 'document', changeToken: before.changeToken, properties: { 'dc:title': 'x' } })
      .expect(200);
  });

  test('refuses what is too long, or a document that takes no tags, with nothing done', async () => {
    const { uid } = await createDocument(server);
    expect((await tag(uid, ['x'.repeat(256)]).expect(400)).body.message).toMatch(/at most 255/);
    const untaggable = await createDocument(server, { type: 'Favorites' });
    expect((await tag([uid, untaggable.uid], 'a').expect(400)).body.message).toMatch(/takes no tags/);
    await tag([uid, '/nosuch'], 'a').expect(404);
    expect(await found(uid)).toEqual([]);
  });

  test('at once by many: every label is there', async () => {
    const { uid } = await createDocument(server);
    const labels = Array.from({ length: 20 }, (_, index) => `label${index}`);
    await Promise.all(labels.map((label) => tag(uid, [label]).expect(200)));
    expect(await found(uid)).toEqual([...labels].sort());
    expect((await read(uid)).changeToken).toBe('20-0');
  });

  test('tags that are there leave no trace', async () => {
    const { uid } = await createDocument(server);
    await tag(uid, 'same').expect(200);
    await tag([uid, uid], 'Same').expect(200);
    expect((await read(uid)).changeToken).toBe('1-0');
  });
});

describe('Services.UntagDocument', () => {
  test('answers the document without the labels', async () => {
    const [one, two] = await some(2);
    const uids = [one?.uid ?? '', two?.uid ?? ''];
    await tag(uids, 'a,b,c').expect(200);
    const { body } = await run('Services.UntagDocument', uids, { tags: 'A, c, nosuch' }).expect(200);
    expect(body.entries.map(({ uid }: DocumentEntity) => uid)).toEqual(uids);
    for (const uid of uids) {
      expect(await tagsOf(uid)).toEqual(['b by Administrator']);
      expect(await found(uid)).toEqual(['b']);
    }
    const last = await run('Services.UntagDocument', uids[0], { tags: 'b' }).expect(200);
    expect(last.body.properties['nxtag:tags']).toEqual([]);
    expect(last.body.changeToken).toBe('3-0');
  });

  test('needs Write of whoever put the label there, too', async () => {
    const { uid } = await createDocument(server);
    const params = { tags: 'mine' };
    await call(bob, 'Services.TagDocument', { input: uid, params }).expect(200);
    await call(bob, 'Services.UntagDocument', { input: uid, params }).expect(403);
  });
});

describe('Services.RemoveDocumentTags', () => {
  test('answers the document without any label', async () => {
    const { uid } = await createDocument(server);
    await tag(uid, 'a,b').expect(200);
    const { body } = await run('Services.RemoveDocumentTags', uid).expect(200);
    expect(body.properties['nxtag:tags']).toEqual([]);
    expect(await found(uid)).toEqual([]);
  });
});

describe('Tag.Suggestion', () => {
  const suggest = async (params: Record<string, unknown>, who = server.request): Promise<string[]> => {
    const { body } = await call(who, 'Tag.Suggestion', { params }).expect(200);
    for (const { id, displayLabel } of body) expect(displayLabel).toBe(id);
    return body.map(({ id }: { id: string }) => id);
  };

  test('answers labels that begin with a text, in order, at most 10, each once', async () => {
    const documents = await some(3);
    const labels = Array.from({ length: 12 }, (_, index) => `sugg_${String.fromCharCode(97 + index)}`);
    for (const { uid } of documents) await tag(uid, labels.toReversed()).expect(200);
    expect(await suggest({ searchTerm: ' SUGG_' })).toEqual(labels.slice(0, 10));
    expect(await suggest({ searchTerm: 'sugg_l' })).toEqual(['sugg_l']);
    expect(await suggest({ searchTerm: 'sugg%' })).toEqual(labels.slice(0, 10)); // no label has a %
    expect(await suggest({ searchTerm: 's_gg' })).toEqual([]);
    expect((await suggest({})).length).toBeLessThanOrEqual(10);
  });

  test('answers without the labels of a document, and what is chosen already as it is', async () => {
    const { uid, path } = await createDocument(server);
    await tag((await createDocument(server)).uid, 'doc1,doc2').expect(200);
    await tag(uid, 'doc1').expect(200);
    expect(await suggest({ searchTerm: 'doc', document: path })).toEqual(['doc2']);
    expect(await suggest({ searchTerm: 'doc', value: 'Any,Thing' })).toEqual(['Any', 'Thing']);
  });

  test('needs Read on a document with the label, which is neither trashed nor gone', async () => {
    const [hidden, open] = await some(2);
    await setAcl(server, hidden?.path ?? '', [deny('Everyone', 'Everything')]);
    await tag(hidden?.uid, 'private,shared').expect(200);
    await tag(open?.uid, 'shared').expect(200);
    expect(await suggest({ searchTerm: 'private' }, bob)).toEqual([]);
    expect(await suggest({ searchTerm: 'shared' }, bob)).toEqual(['shared']);
    expect(await suggest({ searchTerm: 'private' })).toEqual(['private']);
    await server.request.delete(`/api/v1/id/${hidden?.uid}`).expect(204);
    expect(await suggest({ searchTerm: 'private' })).toEqual([]);
    expect(await server.database.prisma.documentTag.count({ where: { label: 'private' } })).toBe(0);
  });

  test('needs what counts now: ACLs change, documents move, go to the trash and come back', async () => {
    const [open, shut] = [
      await createDocument(server, { type: 'Folder' }),
      await createDocument(server, { type: 'Folder' }),
    ];
    await setAcl(server, shut.path, [deny('Everyone', 'Everything')]);
    const { uid } = await createDocument(server, { type: 'Folder', parent: open.path });
    const inside = await createDocument(server, { parent: `${open.path}/${(await read(uid)).name}` });
    await tag(inside.uid, 'wander').expect(200);
    const seen = async () => [
      await suggest({ searchTerm: 'wander' }, bob),
      await suggest({ searchTerm: 'wander' }),
    ];
    expect(await seen()).toEqual([['wander'], ['wander']]);
    await run('Document.Move', uid, { target: shut.uid }).expect(200);
    expect(await seen()).toEqual([[], ['wander']]);
    await setAcl(server, shut.path, [grant('bob', 'Read'), deny('Everyone', 'Everything')]);
    expect(await seen()).toEqual([['wander'], ['wander']]);
    await run('Document.Trash', uid).expect(200);
    expect(await seen()).toEqual([[], []]);
    expect(await contradictions(server)).toEqual([]);
    await run('Document.Untrash', uid).expect(200);
    expect(await seen()).toEqual([['wander'], ['wander']]);
    await setAcl(server, shut.path, []);
    await run('Document.Copy', shut.uid, { target: open.uid }).expect(200);
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    expect(await seen()).toEqual([['wander'], ['wander']]);
  });

  test('answers no labels that versions alone have', async () => {
    const { uid } = await createDocument(server);
    await tag(uid, 'bygone').expect(200);
    await run('Document.CheckIn', uid, { version: 'minor' }).expect(200);
    await run('Services.RemoveDocumentTags', uid).expect(200);
    expect(await suggest({ searchTerm: 'bygone' })).toEqual([]);
    const { body: version } = await run('Document.GetLastVersion', uid).expect(200);
    await run('Document.RestoreVersion', version.uid).expect(200);
    expect(await suggest({ searchTerm: 'bygone' }, bob)).toEqual(['bygone']);
  });

  test('costs as much for many documents as for one', async () => {
    const before = await call(server.request, 'Tag.Suggestion', { params: { searchTerm: 'cost' } });
    await tag(
      (await some(5)).map(({ uid }) => uid),
      'cost1,cost2,cost3',
    ).expect(200);
    const after = await call(server.request, 'Tag.Suggestion', { params: { searchTerm: 'cost' } });
    expect(after.body).toHaveLength(3);
    expect(statements(after)).toBe(statements(before));
  });

  test('refuses a document that is not there, and unknown parameters', async () => {
    await run('Tag.Suggestion', undefined, { document: '/nosuch' }).expect(404);
    await run('Tag.Suggestion', undefined, { term: 'x' }).expect(400);
  });
});

describe('nxtag:tags in a body', () => {
  const put = (uid: string, tags: unknown) =>
    server.request
      .put(`/api/v1/id/${uid}`)
      .send({ 'entity-type': 'document', properties: { 'nxtag:tags': tags } });

  test('is written like any property, and found in lower case', async () => {
    const { uid } = await createDocument(server, {
      properties: { 'nxtag:tags': [{ label: 'Created', username: 'bob' }] },
    });
    expect(await found(uid)).toEqual(['created']);
    await put(uid, [{ label: `${'Long'.repeat(100)}` }, { label: 'Kept' }, { label: 'kept' }]).expect(200);
    expect(await found(uid)).toEqual(['kept', 'long'.repeat(100).slice(0, 255)]);
    await run('Services.UntagDocument', uid, { tags: 'KEPT' }).expect(200);
    expect(await found(uid)).toEqual(['long'.repeat(100).slice(0, 255)]);
    await put(uid, null).expect(200);
    expect(await found(uid)).toEqual([]);
  });

  test.each([
    [{ 'nxtag:tags': [{ label: '' }] }, 0, ''],
    [{ 'nxtag:tags': [{ label: 'kept' }, { label: " /\\'%" }] }, 1, " /\\'%"],
    [{ 'nxtag:tags': [{ username: 'bob' }] }, 0, ''],
    [{ 'nxtag:tags': [{ label: null }] }, 0, ''],
  ])('is refused where nothing is left of a label: %j', async (properties, at, label) => {
    const body = { 'entity-type': 'document', type: 'File', name: 'refused', properties };
    const { uid } = await createDocument(server);
    const answers = [
      await server.request.post('/api/v1/path/default-domain/workspaces').send(body).expect(400),
      await put(uid, properties['nxtag:tags']).expect(400),
    ];
    const message = `nxtag:tags/${at}/label: "${label}" is no label`;
    for (const answer of answers) expect(answer.body).toMatchObject({ status: 400, message });
    expect((await read(uid)).properties['nxtag:tags']).toEqual([]);
  });

  test('is refused where the label of one that is there is cleared', async () => {
    const { uid } = await createDocument(server, { properties: { 'nxtag:tags': [{ label: 'kept' }] } });
    for (const label of ['', null])
      await server.request
        .put(`/api/v1/id/${uid}`)
        .send({ 'entity-type': 'document', properties: { 'nxtag:tags/0/label': label } })
        .expect(400);
    expect(await found(uid)).toEqual(['kept']);
  });
});

describe('A label', () => {
  test('is clean, and stays as it is when it is cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const label = cleanLabel(text);
        expect(label).not.toMatch(/[\s/\\'%]/);
        expect(cleanLabel(label)).toBe(label);
        expect(cleanLabel(` ${text}%`)).toBe(label);
      }),
    );
  });

  test('is answered as it was cleaned, whatever was sent', async () => {
    const { uid } = await createDocument(server);
    const storable = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(storable, { minLength: 1, maxLength: 4 }), async (labels) => {
        await run('Services.RemoveDocumentTags', uid).expect(200);
        const clean = [...new Set(labels.map(cleanLabel))];
        const response = await tag(uid, labels);
        expect(response.status).toBe(clean.includes('') ? 400 : 200);
        if (response.status === 200)
          expect(await tagsOf(uid)).toEqual(clean.map((label) => `${label} by Administrator`));
      }),
      { numRuns: 25 },
    );
  });
});
