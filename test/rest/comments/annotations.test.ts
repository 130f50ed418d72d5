import { describe, expect, test } from '@jest/globals';
import { only, setAcl } from '../../support/acls.ts';
import { atId, createDocument } from '../../support/documents.ts';
import { askGraphql, type Requests } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { atComments, type CommentEntity, comment, textsOf } from './comment-requests.ts';

const server = useServer();
const { request } = server;
const bob = useUser(server, 'bob');

const at = (id: string, rest = ''): string => `${atId(id)}/@annotation${rest}`;

const body = (text: string, more: Record<string, unknown> = {}) => ({
  'entity-type': 'annotation',
  text,
  xpath: 'file:content',
  ...more,
});

async function annotate(id: string, text: string, more = {}, by: Requests = request): Promise<CommentEntity> {
  const { status, body: made } = await by.post(at(id)).send(body(text, more));
  expect([status, made.message]).toEqual([201, undefined]);
  return made;
}

describe('§4.7 an annotation', () => {
  test('is a comment with an xpath, and no entry of @comment', async () => {
    const { uid } = await createDocument(server);
    const made = await annotate(uid, 'Here', { entityId: 'A/1', origin: 'Viewer', entity: '<annot/>' });
    expect(made).toEqual({
      'entity-type': 'annotation',
      id: expect.any(String),
      parentId: uid,
      ancestorIds: [uid],
      author: 'Administrator',
      text: 'Here',
      creationDate: expect.any(String),
      modificationDate: null,
      entityId: 'A/1',
      origin: 'Viewer',
      entity: '<annot/>',
      permissions: ['Everything'],
      xpath: 'file:content',
    });
    expect((await request.get(at(uid)).expect(200)).body).toEqual({
      'entity-type': 'annotations',
      entries: [made],
    });
    for (const address of [at(uid, `/${made.id}`), at(uid, '/external/A%2F1')])
      expect((await request.get(address).expect(200)).body).toEqual(made);
    expect((await request.get(atComments(uid))).body.totalSize).toBe(0);
    await request.get(atComments(uid, `/${made.id}`)).expect(404);
    const { body: found } = await request
      .get('/api/v1/search/execute')
      .query({ query: `SELECT * FROM Annotation WHERE comment:parentId = '${uid}'` });
    expect(found.entries).toMatchObject([{ uid: made.id, type: 'Annotation' }]);
  });

  test('is listed by its xpath', async () => {
    const { uid } = await createDocument(server);
    await annotate(uid, '1');
    await annotate(uid, '2', { xpath: 'files:files/0/file' });
    const listed = async (query: string) =>
      textsOf((await request.get(at(uid, query)).expect(200)).body.entries);
    expect(await listed('')).toEqual(['2', '1']);
    expect(await listed('?xpath=file:content')).toEqual(['1']);
    expect(await listed('?xpath=other')).toEqual([]);
  });

  test('changes and goes, by its id here and in another application', async () => {
    const { uid } = await createDocument(server);
    const made = await annotate(uid, 'Here', { entityId: 'A' });
    for (const [address, text] of [
      [at(uid, `/${made.id}`), 'There'],
      [at(uid, '/external/A'), 'Elsewhere'],
    ] as const) {
      const { body: changed } = await request
        .put(address)
        .send({ 'entity-type': 'annotation', text })
        .expect(200);
      expect(changed).toMatchObject({ id: made.id, text, xpath: 'file:content', entityId: 'A' });
    }
    await request.delete(at(uid, '/external/A')).expect(204);
    await request.get(at(uid, `/${made.id}`)).expect(404);
  });

  test('is for its author, and those with Everything, to change', async () => {
    const { uid, path } = await createDocument(server);
    await setAcl(server, path, only('bob', 'Read'));
    const [theirs, mine] = [await annotate(uid, 'theirs'), await annotate(uid, 'mine', {}, bob)];
    await bob
      .put(at(uid, `/${theirs.id}`))
      .send(body('x'))
      .expect(403);
    await bob.delete(at(uid, `/${theirs.id}`)).expect(403);
    await bob.delete(at(uid, `/${mine.id}`)).expect(204);
    await setAcl(server, path, only('bob', 'Browse'));
    for (const sent of [
      bob.get(at(uid)),
      bob.post(at(uid)).send(body('x')),
      bob.post(at(uid, '/comments')).send([theirs.id]),
    ])
      await sent.expect(403);
  });

  test.each([
    [{ 'entity-type': 'comment', text: 'x', xpath: 'file:content' }, /must be "annotation"/],
    [{ 'entity-type': 'annotation', text: 'x' }, /^xpath is missing$/],
    [body(' '), /^text must not be blank$/],
  ])('is refused with 400 for body %#', async (wrong, message) => {
    const { uid } = await createDocument(server);
    expect((await request.post(at(uid)).send(wrong).expect(400)).body.message).toMatch(message);
  });

  test('is refused with 422 for an xpath of more than 1,000 characters', async () => {
    const { uid } = await createDocument(server);
    const { body: report } = await request
      .post(at(uid))
      .send(body('x', { xpath: 'x'.repeat(1_001) }))
      .expect(422);
    expect(report.violations[0].path).toEqual([{ field_name: 'annotation:xpath', is_list_item: false }]);
    await request
      .post(at(uid))
      .send(body('x', { xpath: 'x'.repeat(1_000) }))
      .expect(201);
  });

  test('needs no text where it has an entity', async () => {
    const { uid } = await createDocument(server);
    const { body: made } = await request
      .post(at(uid))
      .send({ 'entity-type': 'annotation', xpath: 'file:content', entity: '<annot/>' })
      .expect(201);
    expect(made).toMatchObject({ text: null, entity: '<annot/>' });
  });
});

describe('§4.7 POST @annotation/comments', () => {
  test('answers all replies to some annotations, in as many statements for many', async () => {
    const { uid } = await createDocument(server);
    const [one, two, three] = [await annotate(uid, '1'), await annotate(uid, '2'), await annotate(uid, '3')];
    const reply = await comment(request, one.id, 'one');
    expect(reply.ancestorIds).toEqual([uid, one.id]);
    await comment(request, reply.id, 'deeper');
    await comment(request, two.id, 'two');
    await comment(request, three.id, 'three');
    const ask = (...ids: string[]) => request.post(at(uid, '/comments')).send(ids).expect(200);
    const both = await ask(one.id, two.id, 'no-id');
    expect(both.body).toEqual({ 'entity-type': 'comments', totalSize: 3, entries: expect.any(Array) });
    expect(textsOf(both.body.entries)).toEqual(['two', 'deeper', 'one']);
    expect(statements(await ask(one.id, two.id, three.id))).toBe(statements(await ask(one.id)));
    expect((await ask()).body.entries).toEqual([]);
    const other = await createDocument(server);
    const elsewhere = await request.post(at(other.uid, '/comments')).send([one.id]).expect(200);
    expect(elsewhere.body.entries).toEqual([]);
  });

  test('answers a page of them, with how many there are and where the next one begins', async () => {
    const { uid } = await createDocument(server);
    const { id } = await annotate(uid, '1');
    for (const text of ['a', 'b', 'c']) await comment(request, id, text);
    const ask = async (query: string) =>
      (
        await request
          .post(at(uid, `/comments${query}`))
          .send([id])
          .expect(200)
      ).body;
    const first = await ask('?pageSize=2&cursor=*');
    expect([first.totalSize, textsOf(first.entries)]).toEqual([3, ['c', 'b']]);
    const last = await ask(`?pageSize=2&cursor=${encodeURIComponent(first.nextCursor)}`);
    expect(textsOf(last.entries)).toEqual(['a']);
    expect(last).not.toHaveProperty('nextCursor');
    expect(textsOf((await ask('?pageSize=2&currentPageIndex=1')).entries)).toEqual(['a']);
    expect((await ask('?pageSize=0')).entries).toHaveLength(3);
    await request.post(at(uid, '/comments?pageSize=-2')).send([id]).expect(400);
  });

  test('takes a list of at most 1000 ids', async () => {
    const { uid } = await createDocument(server);
    const { body: many } = await request.post(at(uid, '/comments')).send(Array(1001).fill(uid)).expect(400);
    expect(many.message).toBe('ids must contain at most 1000 annotations; got 1001.');
    for (const wrong of [{ ids: [] }, [5]]) await request.post(at(uid, '/comments')).send(wrong).expect(400);
  });
});

test('§4.7 GraphQL writes and reads threads', async () => {
  const { uid, path } = await createDocument(server);
  const made = await askGraphql<{ createComment: { id: string } }>(
    request,
    `mutation ($path: String!) { createComment(path: $path, comment: {text: "Hello"}) { id } }`,
    { path },
  );
  const { id } = made.createComment;
  await askGraphql(
    request,
    `mutation ($id: ID!, $uid: ID!) {
      reply: createComment(id: $id, comment: {text: "Hi"}) { id }
      updateComment(id: $uid, commentId: $id, comment: {text: "Hello all"}) { id }
      createAnnotation(id: $uid, annotation: {text: "Here", xpath: "file:content", entityId: "A"}) { id }
      updateAnnotation(id: $uid, entityId: "A", annotation: {text: "There"}) { xpath }
    }`,
    { id, uid },
  );
  const asked = `query ($uid: ID!) { document(id: $uid) {
    comments(pageSize: 10) { totalSize entries {
      text numberOfReplies authorUser { id } replies { entries { text parentId } }
    } }
    annotations(pageSize: 10) { entries { text author } }
  } }`;
  expect(await askGraphql(request, asked, { uid })).toEqual({
    document: {
      comments: {
        totalSize: 1,
        entries: [
          {
            text: 'Hello all',
            numberOfReplies: 1,
            authorUser: { id: 'Administrator' },
            replies: { entries: [{ text: 'Hi', parentId: id }] },
          },
        ],
      },
      annotations: { entries: [{ text: 'There', author: 'Administrator' }] },
    },
  });
  const gone = `mutation ($id: ID!, $uid: ID!) {
    deleteComment(id: $uid, commentId: $id) deleteAnnotation(id: $uid, entityId: "A")
  }`;
  expect(await askGraphql(request, gone, { id, uid })).toEqual({
    deleteComment: id,
    deleteAnnotation: expect.any(String),
  });
  await expect(askGraphql(request, gone, { id, uid })).rejects.toThrow('does not exist');
});

test('§4.7 GraphQL reads threads of many comments in as many statements as of few', async () => {
  const query = `query ($uid: ID!) { document(id: $uid) { comments(pageSize: 50) { entries {
    text permissions numberOfReplies lastReplyDate authorUser { id }
    replies(pageSize: 5) { totalSize entries { text numberOfReplies authorUser { id } } }
  } } } }`;
  const costs: number[] = [];
  for (const size of [2, 12]) {
    const { uid, path } = await createDocument(server);
    await setAcl(server, path, only('bob', 'Read'));
    for (let at = 0; at < size; at += 1) {
      const { id } = await comment(at % 2 ? request : bob, uid);
      for (let reply = 0; reply < 2; reply += 1) await comment(request, id, 'Thanks');
    }
    const ask = () => request.post('/graphql').send({ query, variables: { uid } }).expect(200);
    await ask();
    const answer = await ask();
    const { entries } = answer.body.data.document.comments;
    expect(entries.map(({ numberOfReplies }: { numberOfReplies: number }) => numberOfReplies)).toEqual(
      Array(size).fill(2),
    );
    costs.push(statements(answer));
  }
  expect(costs[1]).toBe(costs[0]);
});

test('§10 fetch.annotation sums up the comments on annotations', async () => {
  const { uid } = await createDocument(server);
  const made = await annotate(uid, 'Here');
  const reply = await comment(request, made.id, 'Thanks');
  const { body: list } = await request.get(at(uid)).set('fetch.annotation', 'repliesSummary').expect(200);
  expect(list.entries).toEqual([{ ...made, numberOfReplies: 1, lastReplyDate: reply.creationDate }]);
  const { body: one } = await request.get(at(uid, `/${made.id}?fetch.annotation=repliesSummary`)).expect(200);
  expect(one).toEqual(list.entries[0]);
});

test('§2.6 the log of a document has what happens to comments', async () => {
  const { uid } = await createDocument(server);
  const { id } = await comment(request, uid);
  const reply = await comment(request, id, 'reply');
  await request
    .put(atComments(uid, `/${id}`))
    .send({ 'entity-type': 'comment', text: 'x' })
    .expect(200);
  await request.delete(atComments(id, `/${reply.id}`)).expect(204);
  const { body: log } = await request.get(`${atId(uid)}/@audit`).expect(200);
  const events = log.entries.map(({ eventId, docUUID, extended }: Record<string, unknown>) => [
    eventId,
    docUUID,
    extended,
  ]);
  expect(events).toEqual([
    ['commentRemoved', uid, { commentId: reply.id }],
    ['commentUpdated', uid, { commentId: id }],
    ['commentAdded', uid, { commentId: reply.id }],
    ['commentAdded', uid, { commentId: id }],
    ['documentCreated', uid, {}],
  ]);
});
