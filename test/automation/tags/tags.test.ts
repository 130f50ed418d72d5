import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { tagging } from './tagging.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);
checkConsistency(server);

const { found, read, run, some, tag, tagsOf } = tagging(server);

const entriesOf = async (docUuid: string): Promise<string[]> =>
  (await server.database.prisma.logEntry.findMany({ where: { docUuid } })).map(({ eventId }) => eventId);

describe('Services.TagDocument', () => {
  test('adds normalized labels, each once, and returns the document', async () => {
    const { uid, path } = await createDocument(server);
    const { body } = await tag(path, "Été 2024, A/b\\c, it's, 50%, it's").expect(200);
    expect(body).toMatchObject({ 'entity-type': 'document', uid });
    const labels = ['été2024', 'abc', 'its', '50'];
    expect(await tagsOf(uid)).toEqual(labels.map((label) => `${label} by Administrator`));
    expect(await found(uid)).toEqual([...labels].sort());
    await call(bob, 'Services.TagDocument', { input: uid, params: { tags: ['ITS', 'new'] } }).expect(200);
    expect(await tagsOf(uid)).toEqual([...labels.map((label) => `${label} by Administrator`), 'new by bob']);
  });

  test('counts two normal forms of a label as one, which is stored in NFC', async () => {
    const { uid } = await createDocument(server);
    const [composed, decomposed] = ['\u00e9t\u00e9', 'e\u0301te\u0301'];
    await tag(uid, `${decomposed},${composed}`).expect(200);
    expect(await found(uid)).toEqual([composed]);
    await run('Services.UntagDocument', uid, { tags: decomposed }).expect(200);
    expect(await found(uid)).toEqual([]);
  });

  test('tags a list of fifty documents at the cost of one', async () => {
    const documents = await some(50);
    const uids = documents.map(({ uid }) => uid);
    const one = await tag([uids[0]], 'first').expect(200);
    const all = await tag(uids, 'second').expect(200);
    expect(all.body.entries.map(({ uid }: DocumentEntity) => uid)).toEqual(uids);
    expect(statements(all)).toBe(statements(one));
    expect(await found(uids[49] ?? '')).toEqual(['second']);
  });

  test('needs only Read and does not count as a change by the user (§2.1)', async () => {
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

  test('refuses more than 1,000 tags of a document, and adds none of them', async () => {
    const { uid } = await createDocument(server);
    const labels = Array.from({ length: 1_000 }, (_, index) => `l${index}`);
    const { body } = await tag(uid, [...labels, 'one']).expect(422);
    expect(body.violations).toMatchObject([
      {
        constraint: { name: 'ItemCountConstraint', parameters: { Maximum: '1000' } },
        path: [{ field_name: 'nxtag:tags', is_list_item: false }],
      },
    ]);
    expect(await tagsOf(uid)).toEqual([]);
    await tag(uid, labels).expect(200);
    await tag(uid, 'one').expect(422);
    await tag(uid, 'l5').expect(200);
  });

  test('refuses long labels and documents that take no tags, and tags nothing', async () => {
    const { uid } = await createDocument(server);
    const { body } = await tag(uid, ['x', 'x'.repeat(256)]).expect(422);
    expect(body.violations[0].path).toEqual([
      { field_name: 'nxtag:tags', is_list_item: true, index: 1 },
      { field_name: 'label', is_list_item: false },
    ]);
    const untaggable = await createDocument(server, { type: 'Favorites' });
    expect((await tag([uid, untaggable.uid], 'a').expect(400)).body.message).toMatch(/cannot have tags/);
    await tag([uid, '/nosuch'], 'a').expect(404);
    expect(await found(uid)).toEqual([]);
  });

  test('adds every label of concurrent calls', async () => {
    const { uid } = await createDocument(server);
    const labels = Array.from({ length: 20 }, (_, index) => `label${index}`);
    await Promise.all(labels.map((label) => tag(uid, [label]).expect(200)));
    expect(await found(uid)).toEqual([...labels].sort());
    expect((await read(uid)).changeToken).toBe('20-0');
  });

  test('changes nothing for labels that the document has already', async () => {
    const { uid } = await createDocument(server);
    await tag(uid, 'same').expect(200);
    await tag([uid, uid], 'Same').expect(200);
    expect((await read(uid)).changeToken).toBe('1-0');
  });
});

// §11
describe('the tags of a version', () => {
  /** Proxies of a version of a new document, and of a later one. */
  async function published(count: number) {
    const { uid } = await createDocument(server);
    const publish = async () => {
      const section = await createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
      const params = { target: section.uid };
      return (await run('Document.PublishToSection', uid, params).expect(200)).body;
    };
    const proxies = [];
    for (let index = 0; index < count; index += 1) proxies.push(await publish());
    await run('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
    const later = await publish();
    return { uid, version: proxies[0]?.proxyTargetId as string, proxies, later };
  }

  test('are shown by its proxies, and by no others', async () => {
    const { uid, version, proxies, later } = await published(2);
    const own = [version, ...proxies.map((proxy) => proxy.uid)];
    await tag(version, 'one,two').expect(200);
    for (const id of own) {
      expect(await tagsOf(id)).toEqual(['one by Administrator', 'two by Administrator']);
      expect(await found(id)).toEqual(['one', 'two']);
    }
    expect([...(await tagsOf(uid)), ...(await tagsOf(later.uid))]).toEqual([]);
    expect((await read(later.uid)).changeToken).toBe(later.changeToken);
    expect((await read(proxies[0].uid)).changeToken).not.toBe(proxies[0].changeToken);
    await run('Services.UntagDocument', version, { tags: 'one' }).expect(200);
    for (const id of own) expect(await tagsOf(id)).toEqual(['two by Administrator']);
    await run('Services.RemoveDocumentTags', version).expect(200);
    for (const id of own) {
      expect(await tagsOf(id)).toEqual([]);
      expect(await found(id)).toEqual([]);
    }
    await run('Services.TagDocument', proxies[0].uid, { tags: 'three' }).expect(400);
  });

  test('cost the same for five proxies as for one, and for five versions', async () => {
    const [one, five] = [await published(1), await published(5)];
    const costs = [];
    for (const input of [[one.version], [five.version], [one.version, five.version]])
      costs.push(statements(await tag(input, `cost${costs.length}`).expect(200)));
    expect(new Set(costs).size).toBe(1);
  });
});

describe('Services.UntagDocument', () => {
  test('removes the labels, in any case, and returns the documents', async () => {
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

  test('needs Write even of the user who added the label', async () => {
    const { uid } = await createDocument(server);
    const params = { tags: 'mine' };
    await call(bob, 'Services.TagDocument', { input: uid, params }).expect(200);
    await call(bob, 'Services.UntagDocument', { input: uid, params }).expect(403);
  });
});

describe('Services.RemoveDocumentTags', () => {
  test('removes all labels and returns the document', async () => {
    const { uid } = await createDocument(server);
    await tag(uid, 'a,b').expect(200);
    const { body } = await run('Services.RemoveDocumentTags', uid).expect(200);
    expect(body.properties['nxtag:tags']).toEqual([]);
    expect(await found(uid)).toEqual([]);
  });
});
