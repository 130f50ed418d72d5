import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CommentsQuery, comments } from '../../../web/src/graphql/operations.ts';
import { grant, only, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { mailsOf } from '../../support/mails.ts';
import { askGraphql, type Requests } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { atComments, type CommentEntity, comment, commentBody, sendComment } from './comment-requests.ts';

const server = useServer();
const prisma = () => server.database.prisma;

async function user(id: string): Promise<void> {
  await createUser(server, id);
  const properties = { email: `${id.replaceAll(/[ @]/g, '.')}@example.org`, firstName: id };
  await prisma().user.update({ where: { id }, data: { properties } });
}

/** A document that ann, bob and those named can read. */
async function readable(...others: string[]): Promise<string> {
  const { uid, path } = await createDocument(server, { properties: { 'dc:title': 'Plan' } });
  await setAcl(server, path, [
    ...['ann', 'bob', ...others].map((id) => grant(id, 'Read')),
    ...only('Administrator', 'Everything'),
  ]);
  return uid;
}

const recipients = async (): Promise<string[]> => (await mailsOf(server)).flatMap(({ to }) => to).sort();

const mentionsOf = async (request: Requests, document: string, id: string) => {
  const answer = await askGraphql<CommentsQuery>(request, comments.text, { id: document, cursor: '*' });
  const found = answer.document.comments?.entries.find((each) => each.id === id);
  return {
    mentions: found?.mentions.map((each) => each.id),
    mentionsWithoutAccess: found?.mentionsWithoutAccess,
  };
};

/** Whom the events about comments concern, oldest first. */
const concerns = async (document: string): Promise<string[][]> =>
  (await prisma().logEntry.findMany({ where: { docUuid: document }, orderBy: { id: 'asc' } })).flatMap(
    (entry) => (entry.eventId.startsWith('comment') ? [entry.concerns] : []),
  );

beforeAll(async () => {
  for (const id of ['ann', 'bob', 'cid', 'mary ann', 'eve@example.org']) await user(id);
});
beforeEach(async () => {
  await prisma().mail.deleteMany();
});

describe('§4.7 a comment mentions users', () => {
  test('who get an email and are logged, if they can read the document; the author learns who cannot', async () => {
    const uid = await readable();
    const made = await comment(as(server, 'ann'), uid, 'Please look, @bob and @cid.');
    expect(made).toMatchObject({
      text: 'Please look, @bob and @cid.',
      mentionsWithoutAccess: ['cid'],
    });
    expect(await mailsOf(server)).toMatchObject([
      { createdBy: 'ann', to: ['bob@example.org'], subject: 'You were mentioned in a comment' },
    ]);
    expect((await mailsOf(server))[0]?.text).toMatch(/^ann mentioned you in a comment on "Plan"\./);
    expect(await concerns(uid)).toEqual([['mention:bob']]);
    expect(await mentionsOf(as(server, 'ann'), uid, made.id)).toEqual({
      mentions: ['bob', 'cid'],
      mentionsWithoutAccess: ['cid'],
    });
    expect(await mentionsOf(as(server, 'bob'), uid, made.id)).toEqual({
      mentions: ['bob', 'cid'],
      mentionsWithoutAccess: null,
    });
    const { body: seen } = await as(server, 'bob')
      .get(atComments(uid, `/${made.id}`))
      .expect(200);
    expect(seen).not.toHaveProperty('mentionsWithoutAccess');
  });

  test.each([
    ['@bob', ['bob']],
    ['(@bob), “@bob” and @bob’s @ann.', ['bob', 'ann']],
    ['@"mary ann": yes', ['mary ann']],
    ['@eve@example.org, please', ['eve@example.org']],
    ['write to x@bob or to bob', []],
    ['@mary ann', []],
    ['@nobody @Bob @', []],
  ])('that the text %j names as %j', async (words, names) => {
    const uid = await readable();
    const { id } = await comment(server.request, uid, words);
    expect((await mentionsOf(server.request, uid, id)).mentions).toEqual(names);
  });

  test('but never themselves, and nobody twice', async () => {
    const uid = await readable();
    await comment(as(server, 'ann'), uid, '@ann and @bob and @bob');
    expect(await recipients()).toEqual(['bob@example.org']);
    expect(await concerns(uid)).toEqual([['mention:bob']]);
  });

  test('up to 50 times', async () => {
    const uid = await readable();
    await comment(as(server, 'ann'), uid, `${'@x '.repeat(50)}@bob`);
    expect(await recipients()).toEqual([]);
    await comment(as(server, 'ann'), uid, `${'@x '.repeat(49)}@bob`);
    expect(await recipients()).toEqual(['bob@example.org']);
  });

  test('of whom a change notifies only those whom it adds', async () => {
    const uid = await readable('cid');
    const ann = as(server, 'ann');
    const made = await comment(ann, uid, '@bob');
    await prisma().mail.deleteMany();
    await ann
      .put(atComments(uid, `/${made.id}`))
      .send(commentBody('@bob and @cid'))
      .expect(200);
    expect(await recipients()).toEqual(['cid@example.org']);
    expect(await concerns(uid)).toEqual([['mention:bob'], ['mention:cid']]);
  });

  test('with as many statements for many as for one', async () => {
    const uid = await readable('cid', 'mary ann');
    const costs: number[] = [];
    for (const words of ['@bob', '@bob @cid @"mary ann"']) {
      await comment(as(server, 'ann'), uid, 'first');
      costs.push(statements(await sendComment(as(server, 'ann'), uid, words).expect(201)));
    }
    expect(costs[1]).toBe(costs[0]);
    const variables = { id: uid, cursor: '*' };
    const cost = async () =>
      statements(
        await as(server, 'ann').post('/graphql').send({ query: comments.text, variables }).expect(200),
      );
    const before = await cost();
    for (let at = 0; at < 5; at += 1) await comment(as(server, 'ann'), uid, `@bob @cid ${at}`);
    expect(await cost()).toBe(before);
  });
});

describe('§4.7 a reply', () => {
  test('is mailed once to the authors of the comments above who can still read the document', async () => {
    const uid = await readable('cid');
    const first: CommentEntity = await comment(as(server, 'ann'), uid, 'first');
    const second = await comment(as(server, 'cid'), first.id, 'second');
    expect(await mailsOf(server)).toMatchObject([
      { to: ['ann@example.org'], subject: 'A reply to your comment' },
    ]);
    await prisma().mail.deleteMany();
    const third = await comment(as(server, 'bob'), second.id, 'third, @ann');
    expect((await mailsOf(server)).map(({ to, subject }) => [to[0], subject]).sort()).toEqual([
      ['ann@example.org', 'You were mentioned in a comment'],
      ['cid@example.org', 'A reply to your comment'],
    ]);
    expect((await concerns(uid)).at(-1)).toEqual(['mention:ann', 'reply:cid']);
    await prisma().mail.deleteMany();
    const { body } = await server.request.get(`/api/v1/id/${uid}`).expect(200);
    await setAcl(server, body.path, [
      grant('bob', 'Read'),
      grant('ann', 'Read'),
      ...only('Administrator', 'Everything'),
    ]);
    await comment(as(server, 'bob'), third.id, 'fourth');
    expect(await recipients()).toEqual(['ann@example.org']);
  });
});
