import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../../support/documents.ts';
import { useServer } from '../../../support/server.ts';
import { useUser } from '../../../support/users.ts';
import { latestId, loggedAfter } from '../../audit/audit-requests.ts';

const server = useServer({ REPOSITORIES: 'default,other' });
useUser(server, 'ann', ['administrators']);

describe('§9 Update-Comment', () => {
  /** Sends a write without a body: with one, the client would encode the headers in UTF-8. */
  const remove = async (query = '', headers: Record<string, string> = {}) => {
    const { uid } = await createDocument(server);
    const before = await latestId(server);
    await server.request.delete(`/api/v1/id/${uid}${query}`).set(headers).expect(204);
    const left = await loggedAfter(server, before);
    return left.find(({ docUUID }) => docUUID === uid)?.comment;
  };

  test('is decoded as UTF-8, as header and query parameter', async () => {
    const words = 'žluťoučký kůň, 日本';
    const bytes = Buffer.from(words, 'utf8').toString('latin1');
    expect(await remove('', { 'Update-Comment': bytes })).toBe(words);
    expect(await remove(`?Update-Comment=${encodeURIComponent(words)}`)).toBe(words);
  });

  test('is decoded as Latin-1 when it is no valid UTF-8', async () => {
    expect(await remove('', { 'Update-Comment': 'caf\u00e9' })).toBe('café');
  });

  test('answers 400 when it contains NUL', async () => {
    const { uid } = await createDocument(server);
    for (const name of ['Update-Comment', 'source'])
      await server.request.delete(`/api/v1/id/${uid}?${name}=%00`).expect(400);
  });
});
