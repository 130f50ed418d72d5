import type { TestServer } from '../../support/server.ts';

/** Where a directory is, or an entry of it, whose id is percent-encoded. */
export const at = (directory: string, id?: string): string =>
  `/api/v1/directory/${encodeURIComponent(directory)}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

/** The body of an entry. */
export const entry = (directoryName: string, fields: Record<string, unknown>): Record<string, unknown> => ({
  'entity-type': 'directoryEntry',
  directoryName,
  ...fields,
});

/** The error body that answers a fault. */
export const fault = (status: number, message: unknown): Record<string, unknown> => ({
  'entity-type': 'exception',
  status,
  message,
});

let count = 0;

/** An id that no other entry of this test file has. */
export function newId(): string {
  count += 1;
  return `entry-${count}`;
}

/** A new entry of a directory, which is answered as it is. */
export async function createEntry(
  { request }: Pick<TestServer, 'request'>,
  directory: string,
  properties: Record<string, unknown> = {},
): Promise<{ id: string; properties: Record<string, unknown> }> {
  const body = entry(directory, { properties: { id: newId(), ...properties } });
  const response = await request.post(at(directory)).send(body);
  if (response.status !== 201) throw new Error(`could not create an entry: ${response.text}`);
  return response.body;
}
