import { expect, test } from '@jest/globals';
import { only, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import type { Requests } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { comment } from './comment-requests.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const provided = async (name: string, params: object, by: Requests = server.request): Promise<unknown[]> => {
  const { body } = await by.get(`/api/v1/search/pp/${name}/execute`).query(params).expect(200);
  return body.entries.map(({ properties }: DocumentEntity) => properties['comment:text']);
};

test('§4.7 page providers find comments and annotations as documents, the newest first', async () => {
  const { uid, path } = await createDocument(server);
  const made = await comment(server.request, uid, 'first', { entityId: 'E' });
  await comment(server.request, uid, 'second');
  await comment(server.request, made.id, 'reply');
  await server.request
    .post(`${atId(uid)}/@annotation`)
    .send({ 'entity-type': 'annotation', text: 'here', xpath: 'file:content' })
    .expect(201);
  const { body } = await server.request.get(atId(made.id));
  const [ofDocument, ofFolder] = [{ queryParams: uid }, { queryParams: body.parentRef }];
  expect(await provided('GET_COMMENTS_FOR_DOCUMENT', ofDocument)).toEqual(['second', 'first']);
  expect(await provided('GET_COMMENTS_FOR_DOCUMENT', { queryParams: made.id })).toEqual(['reply']);
  expect(await provided('GET_COMMENTS_FOR_DOCUMENT_BY_ECM_PARENT', ofFolder)).toEqual(['second', 'first']);
  expect(await provided('GET_ANNOTATIONS_FOR_DOCUMENT', ofDocument)).toEqual(['here']);
  expect(await provided('GET_ANNOTATIONS_FOR_DOCUMENT_BY_ECM_PARENT', ofFolder)).toEqual(['here']);
  const external = { queryParams: [uid, 'E'] };
  expect(await provided('GET_EXTERNAL_COMMENT_BY_ECM_ANCESTOR', external)).toEqual(['first']);
  const { body: page } = await server.request.get(`${atId(uid)}/@pp/GET_COMMENTS_FOR_DOCUMENT`).expect(200);
  expect(page.resultsCount).toBe(2);
  await setAcl(server, path, only('bob', 'Browse'));
  expect(await provided('GET_COMMENTS_FOR_DOCUMENT', ofDocument, bob)).toEqual([]);
});
