import { expect } from '@jest/globals';
import type supertest from 'supertest';
import type { DocumentEntity } from '../../support/factories.ts';

type Agent = ReturnType<typeof supertest.agent>;

/** What a list of documents tells. */
export interface Found {
  readonly resultsCount: number;
  readonly entries: readonly DocumentEntity[];
}

/** GET of what a query finds. */
export const search = (request: Agent, query: string, more: Record<string, unknown> = {}): supertest.Test =>
  request.get('/api/v1/search/execute').query({ query, ...more });

/** The names of what documents a condition finds, sorted; every one is counted. */
export async function namesWhere(request: Agent, where: string, more: Record<string, unknown> = {}) {
  const query = `SELECT * FROM Document WHERE ${where}`;
  const { body } = (await search(request, query, more).expect(200)) as { body: Found };
  expect(body.resultsCount).toBe(body.entries.length);
  return body.entries.map(({ name }) => name).sort();
}
