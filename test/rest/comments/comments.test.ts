import { describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, missingId, storeProperties } from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { atComments, comment, commentBody, commentsOn, sendComment, textsOf } from './comment-requests.ts';

const server = useServer();
const { request } = server;

const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('§4.7 a comment on a document', () => {
  test('is answered as the entity of a comment, by id and by path', async () => {
    const { uid, path } = await createDocument(server);
    const { body } = await sendComment(request, uid, 'Nice', { author: 'jdoe', parentId: missingId }).expect(
      201,
    );
    expect(body).toEqual({
      'entity-type': 'comment',
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      parentId: uid,
      ancestorIds: [uid],
      author: 'Administrator',
      text: 'Nice',
      creationDate: date,
      modificationDate: null,
      permissions: ['Everything'],
    });
    expect((await request.get(atComments(uid, `/${body.id}`)).expect(200)).body).toEqual(body);
    expect((await request.get(`${atPath(path)}/@comment/${body.id}`).expect(200)).body).toEqual(body);
    await request
      .post(`${atPath(path)}/@comment/`)
      .send(commentBody('Second'))
      .expect(201);
    expect((await request.get(`${atPath(path)}/@comment`).expect(200)).body).toEqual({
      'entity-type': 'comments',
      totalSize: 2,
      entries: [expect.objectContaining({ text: 'Second' }), body],
    });
  });

  test('is listed the newest first, by pages', async () => {
    const { uid } = await createDocument(server);
    for (const text of ['1', '2', '3']) await comment(request, uid, text);
    await comment(request, uid, 'old', { creationDate: '2024-03-01T10:00:00Z' });
    expect(textsOf(await commentsOn(request, uid))).toEqual(['3', '2', '1', 'old']);
    expect(textsOf(await commentsOn(request, uid, '?pageSize=0'))).toHaveLength(4);
    const { body } = await request.get(atComments(uid, '?pageSize=2&currentPageIndex=1')).expect(200);
    expect([body.totalSize, textsOf(body.entries)]).toEqual([4, ['1', 'old']]);
    expect((await request.get(atComments(uid, '?pageSize=-2'))).status).toBe(400);
    const { uid: other } = await createDocument(server);
    expect((await request.get(atComments(other))).body).toEqual({
      'entity-type': 'comments',
      totalSize: 0,
      entries: [],
    });
  });

  test('changes by PUT, which keeps author, place and date', async () => {
    const { uid } = await createDocument(server);
    const made = await comment(request, uid, 'Nice', { creationDate: '2024-03-01T10:00:00+01:00' });
    expect(made.creationDate).toBe('2024-03-01T09:00:00.000Z');
    const sent = commentBody('Better', {
      author: 'bob',
      creationDate: '2020-01-01T00:00:00Z',
      parentId: missingId,
    });
    const { body } = await request
      .put(atComments(uid, `/${made.id}`))
      .send(sent)
      .expect(200);
    expect(body).toEqual({ ...made, text: 'Better', modificationDate: date });
    expect(Date.parse(body.modificationDate)).toBeGreaterThan(Date.parse(made.creationDate));
    expect((await request.get(atComments(uid, `/${made.id}`))).body).toEqual(body);
    const dated = commentBody('Best', { modificationDate: '2024-04-01' });
    const { body: again } = await request
      .put(atComments(uid, `/${made.id}`))
      .send(dated)
      .expect(200);
    expect(again.modificationDate).toBe('2024-04-01T00:00:00.000Z');
  });

  test('is deleted with its replies', async () => {
    const { uid } = await createDocument(server);
    const made = await comment(request, uid);
    const reply = await comment(request, made.id, 'Thanks');
    await request.delete(atComments(uid, `/${made.id}`)).expect(204);
    for (const { id } of [made, reply]) {
      await request.get(atId(id)).expect(404);
      const { body } = await request.delete(atComments(uid, `/${id}`)).expect(404);
      expect(body).toMatchObject(exception(404, `The comment ${id} does not exist.`));
    }
    expect(await commentsOn(request, uid)).toEqual([]);
  });

  test('is a document of type Comment that keeps what other applications say of it', async () => {
    const { uid } = await createDocument(server);
    const external = { entityId: 'a/b 1', origin: 'Ticketing', entity: '<entity/>' };
    const made = await comment(request, uid, 'Nice', external);
    expect(made).toMatchObject(external);
    const { body } = await request.get(atId(made.id)).expect(200);
    expect(body).toMatchObject({
      type: 'Comment',
      facets: expect.arrayContaining(['HiddenInNavigation', 'ExternalEntity']),
      properties: {
        'comment:text': 'Nice',
        'comment:author': 'Administrator',
        'comment:parentId': uid,
        'comment:ancestorIds': [uid],
        'externalEntity:entityId': 'a/b 1',
        'dc:creator': 'Administrator',
      },
    });
    const at = atComments(uid, `/external/${encodeURIComponent('a/b 1')}`);
    expect((await request.get(at).expect(200)).body).toEqual(made);
    const { body: changed } = await request
      .put(at)
      .send(commentBody('Changed', { origin: null }))
      .expect(200);
    expect(changed).toMatchObject({ id: made.id, text: 'Changed', entity: '<entity/>' });
    expect(changed).not.toHaveProperty('origin');
    await request.delete(at).expect(204);
    await request.get(at).expect(404);
  });

  test('is the first one of those with the same id in another application', async () => {
    const { uid } = await createDocument(server);
    const first = await comment(request, uid, 'first', { entityId: 'E' });
    await comment(request, uid, 'second', { entityId: 'E', creationDate: '2001-01-01' });
    expect((await request.get(atComments(uid, '/external/E'))).body.id).toBe(first.id);
  });
});

describe('§4.7 replies', () => {
  test('are comments on a comment, to any bounded depth', async () => {
    const { uid } = await createDocument(server);
    const line = [await comment(request, uid, '1')];
    for (const text of ['2', '3']) line.push(await comment(request, line.at(-1)?.id ?? '', text));
    expect(line[2]).toMatchObject({ parentId: line[1]?.id, ancestorIds: [uid, line[0]?.id, line[1]?.id] });
    expect(textsOf(await commentsOn(request, uid))).toEqual(['1']);
    expect(textsOf(await commentsOn(request, line[0]?.id ?? ''))).toEqual(['2']);
    for (const above of [uid, line[0]?.id ?? '', line[1]?.id ?? ''])
      expect((await request.get(atComments(above, `/${line[2]?.id}`)).expect(200)).body.text).toBe('3');
    await request.get(atComments(line[2]?.id ?? '', `/${line[0]?.id}`)).expect(404);
    while (line.length < 50) line.push(await comment(request, line.at(-1)?.id ?? ''));
    const { body } = await sendComment(request, line.at(-1)?.id ?? '', 'too deep').expect(400);
    expect(body).toMatchObject(exception(400, 'A thread can have at most 50 levels of replies.'));
  });

  test.each(['fetch.comment', 'fetch-comment', 'X-NXfetch.comment'])(
    'are summed up by %s',
    async (header) => {
      const { uid } = await createDocument(server);
      const [made, other] = [await comment(request, uid), await comment(request, uid, 'alone')];
      await comment(request, made.id, '1', { creationDate: '2024-01-01T00:00:00Z' });
      await comment(request, made.id, '2', { creationDate: '2023-01-01T00:00:00Z' });
      const { body } = await request.get(atComments(uid)).set(header, 'repliesSummary').expect(200);
      expect(body.entries).toEqual([
        { ...other, numberOfReplies: 0, lastReplyDate: null },
        { ...made, numberOfReplies: 2, lastReplyDate: '2024-01-01T00:00:00.000Z' },
      ]);
    },
  );
});

describe('§4.7 a comment is refused', () => {
  test.each([
    [{}, /entity-type/],
    [{ 'entity-type': 'document', text: 'x' }, /must be "comment"/],
    [commentBody('', {}), /^text must not be blank$/],
    [{ 'entity-type': 'comment' }, /^text is missing$/],
    [{ 'entity-type': 'comment', text: null }, /^text is missing$/],
    [{ 'entity-type': 'comment', text: 5 }, /^text must be a string\.$/],
    [commentBody('x\0'), /NUL/],
    [commentBody('x', { creationDate: 'yesterday' }), /^creationDate: "yesterday" is not a W3C date-time$/],
  ])('with 400 for body %#', async (body, message) => {
    const { uid } = await createDocument(server);
    const { body: refusal } = await request.post(atComments(uid)).send(body).expect(400);
    expect(refusal.message).toMatch(message);
    const made = await comment(request, uid);
    if (!/missing|expected|entity-type|creationDate/.test(message.source))
      expect((await request.put(atComments(uid, `/${made.id}`)).send(body)).body.message).toMatch(message);
  });

  test('with 422 where a text is longer than its property allows', async () => {
    const { uid } = await createDocument(server);
    const made = await comment(request, uid);
    for (const name of ['entityId', 'origin']) {
      const long = commentBody('x', { [name]: 'x'.repeat(1_001) });
      const { body } = await request.post(atComments(uid)).send(long).expect(422);
      expect(body.violations).toMatchObject([
        { constraint: { name: 'LengthConstraint' }, path: [{ field_name: `externalEntity:${name}` }] },
      ]);
      await request
        .put(atComments(uid, `/${made.id}`))
        .send(long)
        .expect(422);
      await request
        .put(atComments(uid, `/${made.id}`))
        .send(commentBody('x', { [name]: 'x'.repeat(1_000) }))
        .expect(200);
    }
    const text = 'x'.repeat(100_001);
    await request
      .post(atComments(uid))
      .send(commentBody(text, { entity: text }))
      .expect(201);
  });

  test('unless a text that is too long is stored already', async () => {
    const { uid } = await createDocument(server);
    const { id } = await comment(request, uid);
    const [entityId, other] = ['x'.repeat(1_001), 'y'.repeat(1_001)];
    await storeProperties(server, id, { 'externalEntity:entityId': entityId });
    const put = (text: string, given: string) =>
      request.put(atComments(uid, `/${id}`)).send(commentBody(text, { entityId: given }));
    expect((await put('changed', entityId).expect(200)).body).toMatchObject({ text: 'changed', entityId });
    await put('changed', other).expect(422);
  });

  test('with 404 where there is no document, and no comment', async () => {
    const { uid } = await createDocument(server);
    await sendComment(request, missingId, 'x').expect(404);
    await request.get(atComments(missingId)).expect(404);
    for (const id of [missingId, 'no-id', uid]) {
      const { body } = await request.get(atComments(uid, `/${id}`)).expect(404);
      expect(body.message).toBe(`The comment ${id} does not exist.`);
    }
    const other = await createDocument(server);
    const made = await comment(request, other.uid);
    await request.get(atComments(uid, `/${made.id}`)).expect(404);
    await request
      .put(atComments(uid, `/${made.id}`))
      .send(commentBody('x'))
      .expect(404);
    await request.get(atComments(uid, '/external/none')).expect(404);
  });

  test('on the folder in which comments are', async () => {
    const { uid } = await createDocument(server);
    const { id } = await comment(request, uid);
    const { body } = await request.get(atId(id));
    expect((await sendComment(request, body.parentRef, 'x')).body).toMatchObject(
      exception(400, `${body.parentRef} is a folder for comments and cannot be commented on.`),
    );
  });
});

test('§4.7 the statements of a list do not grow with comments and replies', async () => {
  const counts = [];
  for (const size of [2, 12]) {
    const { uid } = await createDocument(server);
    for (let at = 0; at < size; at += 1) {
      const { id } = await comment(request, uid);
      await comment(request, id, 'Thanks');
    }
    const list = () => request.get(atComments(uid)).set('fetch.comment', 'repliesSummary');
    await list();
    counts.push([statements(await list()), statements(await sendComment(request, uid, 'one more'))]);
  }
  expect(counts[1]).toEqual(counts[0]);
});
