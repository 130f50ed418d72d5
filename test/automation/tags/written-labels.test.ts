import { expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
checkConsistency(server);

const found = async (label: string): Promise<string[]> => {
  const query = `SELECT * FROM Document WHERE ecm:tag = '${label}'`;
  const { body } = await server.request.get('/api/v1/search/execute').query({ query }).expect(200);
  return body.entries.map(({ uid }: DocumentEntity) => uid);
};

const written = (...labels: string[]) => ({
  'nxtag:tags': labels.map((label) => ({ label, username: 'Administrator' })),
});

// §4.7
test.each([
  ['Not Yet  Done', 'notyetdone'],
  ['a/b\\c%d', 'abcd'],
  ["it's", 'its'],
  ['thin\u2009and\u00a0wide\u3000', 'thinandwide'],
])('a label that is written as %j is found as it is and as %j', async (label, plain) => {
  const { uid } = await createDocument(server);
  await updateDocument(server.request, uid, written(label)).expect(200);
  expect(await found(plain)).toEqual([uid]);
  expect(await found(label.replaceAll(/[\\']/g, '\\$&'))).toEqual([uid]);
  await updateDocument(server.request, uid, written()).expect(200);
  expect(await found(plain)).toEqual([]);
});
