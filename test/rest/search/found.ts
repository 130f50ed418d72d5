import type supertest from 'supertest';
import type { DocumentEntity } from '../../support/factories.ts';
import type { TestServer } from '../../support/server.ts';

/** Parameters of an address. */
export type Given = Readonly<Record<string, string | number | readonly string[]>>;

/** GET of what a page provider lists. */
export const list = (
  request: TestServer['request'],
  name: string,
  given: Given = {},
  headers: Record<string, string> = {},
): supertest.Test => request.get(`/api/v1/search/lang/pp/${name}`).query(given).set(headers);

/** The names of the documents of a page, in their order. */
export const namesIn = ({ body }: { body: { entries: readonly DocumentEntity[] } }): string[] =>
  body.entries.map(({ name }) => name);

/** An aggregate of a page as `key: count`. */
export const countsIn = (
  { body }: { body: { aggregations: Record<string, { buckets: Array<{ key: string; docCount: number }> }> } },
  id: string,
): Record<string, number> =>
  Object.fromEntries((body.aggregations[id]?.buckets ?? []).map(({ key, docCount }) => [key, docCount]));
