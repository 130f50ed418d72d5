import type { TestServer } from '../../support/server.ts';

/** Returns the URL of a directory, or of an entry with its id percent-encoded. */
export const atDirectory = (directory: string, id?: string): string =>
  `/api/v1/directory/${encodeURIComponent(directory)}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

/** Returns an entry as a request body. */
export const entryBody = (
  directoryName: string,
  fields: Record<string, unknown>,
): Record<string, unknown> => ({
  'entity-type': 'directoryEntry',
  directoryName,
  ...fields,
});

let count = 0;

/** Returns an id that is unique within this test file. */
export function newEntryId(): string {
  count += 1;
  return `entry-${count}`;
}

/** Creates an entry in a directory and returns it. */
export async function createEntry(
  { request }: Pick<TestServer, 'request'>,
  directory: string,
  properties: Record<string, unknown> = {},
): Promise<{ id: string; properties: Record<string, unknown> }> {
  const body = entryBody(directory, { properties: { id: newEntryId(), ...properties } });
  const response = await request.post(atDirectory(directory)).send(body);
  if (response.status !== 201) throw new Error(`could not create an entry: ${response.text}`);
  return response.body;
}
