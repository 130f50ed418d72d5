import { expect } from '@jest/globals';
import type supertest from 'supertest';
import type { DocumentEntity } from '../../support/documents.ts';
import type { Requests } from '../../support/requests.ts';

/** A page of documents in a JSON answer. */
export interface Found {
  readonly resultsCount: number;
  readonly entries: readonly DocumentEntity[];
}

/** Runs an NXQL query. */
export const search = (
  request: Requests,
  query: string,
  more: Record<string, unknown> = {},
): supertest.Test => request.get('/api/v1/search/execute').query({ query, ...more });

/** Returns the sorted names that a condition matches, and checks that the count equals their number. */
export async function namesWhere(request: Requests, where: string, more: Record<string, unknown> = {}) {
  const query = `SELECT * FROM Document WHERE ${where}`;
  const { body } = (await search(request, query, more).expect(200)) as { body: Found };
  expect(body.resultsCount).toBe(body.entries.length);
  return body.entries.map(({ name }) => name).sort();
}

/** Query parameters of a URL. */
export type Given = Readonly<Record<string, string | number | readonly string[]>>;

/** Runs a page provider. */
export const list = (
  request: Requests,
  name: string,
  given: Given = {},
  headers: Record<string, string> = {},
): supertest.Test => request.get(`/api/v1/search/lang/pp/${name}`).query(given).set(headers);

/** Returns an aggregate of a page as `key: count`. */
export const countsIn = (
  { body }: { body: { aggregations: Record<string, { buckets: Array<{ key: string; docCount: number }> }> } },
  id: string,
): Record<string, number> =>
  Object.fromEntries((body.aggregations[id]?.buckets ?? []).map(({ key, docCount }) => [key, docCount]));
