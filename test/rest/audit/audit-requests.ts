import type supertest from 'supertest';
import type { TestServer } from '../../support/server.ts';

/** A log entry in a JSON answer. */
export interface LogEntryEntity {
  readonly id: number;
  readonly eventId: string;
  readonly category: string;
  readonly principalName: string;
  readonly comment: string | null;
  readonly docUUID: string | null;
  readonly docPath: string | null;
  readonly eventDate: string;
  readonly extended: Readonly<Record<string, unknown>>;
}

export const audit = (
  { request }: Pick<TestServer, 'request'>,
  { uid }: { readonly uid: string },
  query: Readonly<Record<string, string | number | readonly string[]>> = {},
): supertest.Test => request.get(`/api/v1/id/${uid}/@audit`).query(query);

/** Returns the event ids in the log of a document, the latest first. */
export async function eventsOf(
  server: Pick<TestServer, 'request'>,
  document: { readonly uid: string },
): Promise<string[]> {
  const { body } = await audit(server, document).expect(200);
  return body.entries.map(({ eventId }: LogEntryEntity) => eventId);
}

/** Returns all entries after the one with this id, the oldest first. */
export async function loggedAfter(
  { request }: Pick<TestServer, 'request'>,
  id: number,
): Promise<LogEntryEntity[]> {
  const fields = 'id eventId category principalName comment docUUID docPath eventDate extended';
  const query = `{ logEntries(pageSize: 1000, sortBy: ["id"], sortOrder: ["asc"]) { entries { ${fields} } } }`;
  const { body } = await request.post('/graphql').send({ query }).expect(200);
  return body.data.logEntries.entries.filter((entry: LogEntryEntity) => entry.id > id);
}

/** The id of the latest entry, 0 when there is none. */
export async function latestId({ request }: Pick<TestServer, 'request'>): Promise<number> {
  const query = '{ logEntries(pageSize: 1, sortBy: ["id"]) { entries { id } } }';
  const { body } = await request.post('/graphql').send({ query }).expect(200);
  return body.data.logEntries.entries[0]?.id ?? 0;
}
