/** @group every-database */

import { expect, test } from '@jest/globals';
import { comment, commentBody, commentsOn, sendComment } from '../../rest/comments/comment-requests.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { untilWaiting } from '../../support/until-waiting.ts';
import { withoutDeadlocks } from '../row-locks/without-deadlocks.ts';

const server = useServer({ DATABASE_CONNECTIONS: '25' });
withoutDeadlocks(server);
const { request } = server;
const run = calling(server);

const folder = () => createDocument(server, { type: 'Folder' });

test('comments are created, changed and deleted while their document is moved and its ACL changes', async () => {
  const [one, two] = [await folder(), await folder()];
  const { uid } = await createDocument(server, { parent: one.path });
  const [kept, gone] = [await comment(request, uid), await comment(request, uid)];
  const aces = [grant('members', 'Read'), deny('Everyone', 'Everything')];
  const works = [
    (at: number) => run('Document.Move', uid, { target: (at % 12 ? one : two).uid }),
    (at: number) =>
      setAcl(server, (at % 12 ? one : two).path, at % 4 ? aces : []).then(() => ({ status: 200 })),
    () => sendComment(request, uid, 'more'),
    () => sendComment(request, kept.id, 'reply'),
    () => request.put(atId(uid).concat(`/@comment/${kept.id}`)).send(commentBody('changed')),
    (at: number) =>
      at < 12 ? request.delete(atId(uid).concat(`/@comment/${gone.id}`)) : sendComment(request, uid, 'x'),
  ];
  const answers = await Promise.all(
    Array.from({ length: 48 }, async (_, at) => works[at % works.length]?.(at)),
  );
  const faults = answers.filter((answer) => ![200, 201, 204, 404, 409].includes(answer?.status ?? 0));
  expect(faults).toEqual([]);
  expect(await commentsOn(request, kept.id)).toHaveLength(8);
  expect(await commentsOn(request, uid)).toHaveLength(1 + 8 + 6);
});

test('only one of several concurrent deletions of a comment is answered 204 and logged', async () => {
  const { uid } = await createDocument(server);
  const { id } = await comment(request, uid);
  const { answers } = await server.database.transaction(30, async ({ query }) => {
    const text = 'SELECT FROM document WHERE id = $1::uuid FOR UPDATE';
    await query({ name: '', text }, [id]);
    const sent = Promise.all([1, 2, 3].map(() => request.delete(atId(uid).concat(`/@comment/${id}`))));
    await untilWaiting(server.database, 3);
    return { answers: sent };
  });
  expect((await answers).map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  const where = { docUuid: uid, eventId: 'commentRemoved' };
  expect(await server.database.prisma.logEntry.count({ where })).toBe(1);
});

test('comments on a document that is deleted meanwhile leave nothing', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { uid } = await createDocument(server);
    const { id } = await comment(request, uid);
    const answers = await Promise.all([
      sendComment(request, uid, 'x'),
      sendComment(request, id, 'x'),
      request.delete(atId(uid)),
      sendComment(request, uid, 'x'),
      request.delete(atId(uid).concat(`/@comment/${id}`)),
    ]);
    expect(answers.every(({ status }) => [201, 204, 404].includes(status))).toBe(true);
    expect(answers[2].status).toBe(204);
    const left = { ancestorIds: { has: uid } };
    expect(await server.database.prisma.document.count({ where: left })).toBe(0);
  }
});
