import { describe, expect, test } from '@jest/globals';
import { checkConsistency, contradictions } from '../../store/consistency.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { tagging } from './tagging.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);
checkConsistency(server);

const { read, run, some, tag } = tagging(server);

describe('Tag.Suggestion', () => {
  const suggest = async (params: Record<string, unknown>, who = server.request): Promise<string[]> => {
    const { body } = await call(who, 'Tag.Suggestion', { params }).expect(200);
    for (const { id, displayLabel } of body) expect(displayLabel).toBe(id);
    return body.map(({ id }: { id: string }) => id);
  };

  test('answers with at most 10 distinct labels that begin with the term, in order', async () => {
    const documents = await some(3);
    const labels = Array.from({ length: 12 }, (_, index) => `sugg_${String.fromCharCode(97 + index)}`);
    for (const { uid } of documents) await tag(uid, labels.toReversed()).expect(200);
    expect(await suggest({ searchTerm: ' SUGG_' })).toEqual(labels.slice(0, 10));
    expect(await suggest({ searchTerm: 'sugg_l' })).toEqual(['sugg_l']);
    expect(await suggest({ searchTerm: 'sugg%' })).toEqual(labels.slice(0, 10)); // no label has a %
    expect(await suggest({ searchTerm: 's_gg' })).toEqual([]);
    expect((await suggest({})).length).toBeLessThanOrEqual(10);
  });

  test('answers without the labels of the given document, and with chosen values unchanged', async () => {
    const { uid, path } = await createDocument(server);
    await tag((await createDocument(server)).uid, 'doc1,doc2').expect(200);
    await tag(uid, 'doc1').expect(200);
    expect(await suggest({ searchTerm: 'doc', document: path })).toEqual(['doc2']);
    expect(await suggest({ searchTerm: 'doc', value: 'Any,Thing' })).toEqual(['Any', 'Thing']);
  });

  test('needs Read on an existing document with the label', async () => {
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

  test('needs current permissions: changes of ACLs, moves and the trash apply at once', async () => {
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

  test('answers without labels that only versions have', async () => {
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

  test('refuses an unknown document and ignores unknown parameters', async () => {
    await run('Tag.Suggestion', undefined, { document: '/nosuch' }).expect(404);
    await run('Tag.Suggestion', undefined, { term: 'x' }).expect(200);
  });
});
