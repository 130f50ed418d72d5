/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { use } from '../support/use.ts';
import type { Answer } from './raw.ts';
import { fingerprint, startFuzzed } from './running.ts';
import { ask } from './samples.ts';

const server = use(startFuzzed);

const json = ({ body }: Answer) => JSON.parse(body.toString('utf8')) as Record<string, unknown>;

const list = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => item(index));

const create = (properties: Record<string, unknown>): Promise<Answer> =>
  ask(server.port, '/api/v1/path/', { 'entity-type': 'document', type: 'File', name: 'large', properties });

describe('very large inputs', () => {
  test('with 40,000 invalid references answer 422 with their number and the first hundred', async () => {
    const before = await fingerprint(server);
    const answer = await create({ 'dc:subjects': list(40_000, (index) => `nosuch ${index}`) });
    expect(answer.status).toBe(422);
    expect(json(answer).number).toBe(40_000);
    expect(json(answer).violations).toHaveLength(100);
    expect(await fingerprint(server)).toBe(before);
  });

  test('with 30,000 unknown blob URLs answer 400', async () => {
    const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const data = (index: number) => `http://h/api/v1/id/${id(index)}/@blob/file:content`;
    const answer = await create({
      'files:files': list(30_000, (index) => ({ file: { data: data(index) } })),
    });
    expect(answer.status).toBe(400);
  });

  test('with 1,000 blobs are accepted, and every blob is recorded', async () => {
    const answer = await create({
      'files:files': list(1_000, (index) => ({ file: { content: `${index}` } })),
    });
    expect(answer.status).toBe(201);
    const documentId = String(json(answer).uid);
    expect(await server.database.prisma.documentBlob.count({ where: { documentId } })).toBe(1_000);
  });

  test('with 1,691 sort keys answer 400, also in GraphQL', async () => {
    const keys = list(1_691, () => 'dc:title');
    const rest = await ask(server.port, `/api/v1/path/@children?sortBy=${keys.join()}`);
    expect(rest.status).toBe(400);
    expect(json(rest).message).toContain('at most');
    const query =
      'query ($keys: [String!]) { document(path: "/") { children(sortBy: $keys) { resultsCount } } }';
    const graphql = await ask(server.port, '/graphql', { query, variables: { keys } });
    expect(json(graphql).errors).toEqual([expect.objectContaining({ extensions: { code: 'INVALID' } })]);
  });

  test.each(['[', '{"a":', '[{"a":'])('with half a million opening %s answer 413', async (opening) => {
    for (const target of ['/api/v1/path/', '/graphql']) {
      expect((await ask(server.port, target, opening.repeat(500_000))).status).toBe(413);
    }
  });

  test('with half a million nested arrays answer 413', async () => {
    const deep = '['.repeat(500_000) + ']'.repeat(500_000);
    const body = `{"entity-type":"document","type":"File","name":"x","properties":{"dc:title":${deep}}}`;
    expect((await ask(server.port, '/api/v1/path/', body)).status).toBe(413);
    const variables = await ask(
      server.port,
      '/graphql',
      `{"query":"{ __typename }","variables":{"a":${deep}}}`,
    );
    expect(variables.status).toBe(413);
    expect(server.faults()).toEqual([]);
  });
});
