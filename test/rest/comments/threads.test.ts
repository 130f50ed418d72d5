import { describe, expect, test } from '@jest/globals';
import { type CommentsQuery, comments, resolveThread } from '../../../web/src/graphql/operations.ts';
import { grant, only, setAcl } from '../../support/acls.ts';
import { atId, createDocument } from '../../support/documents.ts';
import { askGraphql, type Requests } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { atComments, comment, commentBody, commentsOn } from './comment-requests.ts';

const server = useServer();
const { request } = server;
const reader = useUser(server, 'reader');
const starter = useUser(server, 'starter');
const writer = useUser(server, 'writer');

async function discussed(): Promise<string> {
  const { uid, path } = await createDocument(server);
  await setAcl(server, path, [
    grant('reader', 'Read'),
    grant('starter', 'Read'),
    grant('writer', 'ReadWrite'),
    ...only('Administrator', 'Everything'),
  ]);
  return uid;
}

const put = (by: Requests, document: string, id: string, body: object) =>
  by.put(atComments(document, `/${id}`)).send({ 'entity-type': 'comment', ...body });

const resolve = (by: Requests, document: string, id: string, resolved: unknown = true) =>
  put(by, document, id, { resolved });

describe('§4.7 a thread is resolved', () => {
  test('by its starter and by writers, and shows who resolved it and when, until it is reopened', async () => {
    const uid = await discussed();
    const made = await comment(starter, uid, 'Done?');
    expect(made).not.toHaveProperty('resolved');
    const { body: resolved } = await resolve(writer, uid, made.id).expect(200);
    expect(resolved).toMatchObject({
      text: 'Done?',
      author: 'starter',
      modificationDate: null,
      resolved: true,
      resolvedBy: 'writer',
      resolvedDate: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const [listed] = await commentsOn(reader, uid);
    expect(listed).toMatchObject({ resolved: true, resolvedBy: 'writer' });
    // The second time changes nothing, not even who resolved it.
    const { body: again } = await resolve(starter, uid, made.id).expect(200);
    expect([again.resolvedBy, again.resolvedDate]).toEqual(['writer', resolved.resolvedDate]);
    const { body: reopened } = await resolve(starter, uid, made.id, false).expect(200);
    for (const field of ['resolved', 'resolvedBy', 'resolvedDate'])
      expect(reopened).not.toHaveProperty(field);
    const { body: log } = await request.get(`${atId(uid)}/@audit`).expect(200);
    expect(
      log.entries.slice(0, 3).map((entry: Record<string, unknown>) => [entry.eventId, entry.principalName]),
    ).toEqual([
      ['commentReopened', 'starter'],
      ['commentResolved', 'writer'],
      ['commentAdded', 'starter'],
    ]);
  });

  test('by nobody else (403), whether they want to resolve or to reopen it', async () => {
    const uid = await discussed();
    const { id } = await comment(starter, uid, 'Done?');
    const { body: refused } = await resolve(reader, uid, id).expect(403);
    expect(refused.message).toMatch(/^Only the author of the comment .* can resolve the thread\.$/);
    await resolve(starter, uid, id).expect(200);
    expect((await resolve(reader, uid, id, false).expect(403)).body.message).toMatch(/can reopen the thread/);
    expect((await commentsOn(reader, uid))[0]).toMatchObject({ resolved: true });
  });

  test('without the permission to change the text', async () => {
    const uid = await discussed();
    const { id } = await comment(starter, uid, 'Done?');
    await put(writer, uid, id, { resolved: true, text: 'Mine' }).expect(403);
    expect((await commentsOn(reader, uid))[0]).toMatchObject({ text: 'Done?' });
    expect((await commentsOn(reader, uid))[0]).not.toHaveProperty('resolved');
    const { body } = await put(starter, uid, id, { resolved: true, text: 'Done.' }).expect(200);
    expect(body).toMatchObject({ text: 'Done.', resolved: true, resolvedBy: 'starter' });
  });

  test('by its first comment only (400), and not when it is started (400)', async () => {
    const uid = await discussed();
    const first = await comment(starter, uid, 'first');
    const reply = await comment(starter, first.id, 'reply');
    expect((await resolve(starter, uid, reply.id).expect(400)).body.message).toMatch(
      /^Only the first comment of a thread can be resolved; .* is a reply\.$/,
    );
    await resolve(starter, uid, first.id, 'yes').expect(400);
    const { body } = await starter
      .post(atComments(uid))
      .send(commentBody('x', { resolved: true }))
      .expect(400);
    expect(body.message).toMatch(/^resolved: a new comment cannot be resolved/);
    await resolve(starter, uid, uid).expect(404);
  });

  test('in GraphQL, also of an annotation', async () => {
    const uid = await discussed();
    const { id } = await comment(starter, uid, 'Done?');
    const ask = async (resolved: boolean) => {
      await askGraphql(writer, resolveThread.text, { id: uid, comment: id, resolved });
      const answer = await askGraphql<CommentsQuery>(reader, comments.text, { id: uid, cursor: '*' });
      return answer.document.comments?.entries[0];
    };
    expect(await ask(true)).toMatchObject({
      resolved: true,
      resolvedBy: 'writer',
      resolvedDate: expect.any(String),
    });
    expect(await ask(false)).toMatchObject({ resolved: null, resolvedBy: null, resolvedDate: null });
    const annotation = { 'entity-type': 'annotation', text: 'Here', xpath: 'file:content' };
    const { body: made } = await starter
      .post(`${atId(uid)}/@annotation`)
      .send(annotation)
      .expect(201);
    const { body } = await starter
      .put(`${atId(uid)}/@annotation/${made.id}`)
      .send({ 'entity-type': 'annotation', resolved: true })
      .expect(200);
    expect(body).toMatchObject({ resolved: true, resolvedBy: 'starter', xpath: 'file:content' });
  });
});
