/**
 * Creates a folder with two notes, changes one, and lists them: REST with types of the server's own description.
 * The types are made by `npx tsx examples/typescript/generate-types.ts`.
 */
import type { Document, Documents } from './entities.d.ts';

const {
  QUIRE_URL = 'http://localhost:8080',
  QUIRE_USER = 'Administrator',
  QUIRE_PASSWORD = 'Administrator',
} = process.env;

/** Sends a request and reads its JSON; an error of the server is thrown with its message. */
async function call<Entity>(method: string, path: string, body?: Partial<Document>): Promise<Entity> {
  const response = await fetch(`${QUIRE_URL}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(`${QUIRE_USER}:${QUIRE_PASSWORD}`).toString('base64')}`,
      'Content-Type': 'application/json',
      // Answers have the properties of the schemas that are named here, and none without it in some servers.
      properties: 'dublincore,note',
    },
    ...(body && { body: JSON.stringify({ 'entity-type': 'document', ...body }) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.parse(text).message}`);
  return (text === '' ? undefined : JSON.parse(text)) as Entity;
}

const create = (parent: string, type: string, name: string, properties: Document['properties']) =>
  call<Document>('POST', `/path${parent}`, { type, name, properties });

const folder = await create('/default-domain/workspaces', 'Folder', 'typescript-example', {
  'dc:title': 'Notes from TypeScript',
});
await create(folder.path, 'Note', 'first', { 'dc:title': 'First', 'note:note': 'Hello' });
const second = await create(folder.path, 'Note', 'second', { 'dc:title': 'Second' });

// A change names the properties that change. The change token makes it fail, with 409, if the note is another one by now.
await call<Document>('PUT', `/id/${second.uid}`, {
  changeToken: second.changeToken,
  properties: { 'dc:title': 'Second, changed' },
});

const { entries } = await call<Documents>('GET', `/id/${folder.uid}/@children`);
for (const { path, properties } of entries ?? []) console.log(`${path}: ${String(properties?.['dc:title'])}`);

await call('DELETE', `/id/${folder.uid}`);
