import type supertest from 'supertest';
import { call } from '../../automation/calls.ts';
import type { TestServer } from '../../support/server.ts';

/** What answers tell of a document, a version or a proxy. */
export interface State {
  readonly uid: string;
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly state: string;
  readonly title: string;
  readonly parentRef: string | null;
  readonly changeToken: string;
  readonly isVersion: boolean;
  readonly isProxy: boolean;
  readonly isCheckedOut: boolean;
  readonly isLatestVersion?: boolean;
  readonly isLatestMajorVersion?: boolean;
  readonly versionLabel?: string;
  readonly versionableId?: string;
  readonly proxyTargetId?: string;
  readonly facets: string[];
  readonly properties: Record<string, unknown>;
}

/** Changes a document. */
export const put = (
  request: TestServer['request'],
  id: string,
  properties: Record<string, unknown>,
  headers: Record<string, string> = {},
): supertest.Test =>
  request.put(`/api/v1/id/${id}`).set(headers).send({ 'entity-type': 'document', properties });

/** A document as it is read. */
export const read = async (request: TestServer['request'], id: string): Promise<State> =>
  (await request.get(`/api/v1/id/${id}`).expect(200)).body as State;

/** The versions of a document, the first one first. */
export async function versionsOf(request: TestServer['request'], id: string): Promise<State[]> {
  const { body } = await call(request, 'Document.GetVersions', { input: id }).expect(200);
  return body.entries as State[];
}

/** Their labels. */
export const labelsOf = async (
  request: TestServer['request'],
  id: string,
): Promise<Array<string | undefined>> =>
  (await versionsOf(request, id)).map(({ versionLabel }) => versionLabel);

/** What a document's label is, a `+` included. */
export async function labelOf({ request }: Pick<TestServer, 'request'>, id: string): Promise<string> {
  const query = 'query ($id: ID!) { document(id: $id) { versionLabel } }';
  const { body } = await request.post('/graphql').send({ query, variables: { id } }).expect(200);
  return body.data.document.versionLabel as string;
}
