import { randomUUID } from 'node:crypto';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';

/** Creates nested folders below a document; returns their number. */
export async function createTree(
  server: TestServer,
  { path }: Pick<DocumentEntity, 'path'>,
  depth: number,
  { breadth, name = 'folder' }: { breadth: number; name?: string },
): Promise<number> {
  if (depth === 0) return 0;
  let count = 0;
  for (let index = 0; index < breadth; index += 1) {
    const own = index === 0 ? name : `${name}-${index}`;
    const child = await createDocument(server, { type: 'Folder', parent: path, name: own });
    count += 1 + (await createTree(server, child, depth - 1, { breadth, name }));
  }
  return count;
}

/** Writes a version of a document of any type to the database directly; returns its id. */
export async function createVersion(
  { database: { prisma } }: Pick<TestServer, 'database'>,
  { uid }: Pick<DocumentEntity, 'uid'>,
): Promise<string> {
  const { properties, ...live } = await prisma.document.findFirstOrThrow({ where: { id: uid } });
  const id = randomUUID();
  const place = { parentId: null, ancestorIds: [...live.ancestorIds, uid], liveId: uid };
  const state = { isCheckedOut: false, isLatestVersion: true, isLatestMajorVersion: true };
  const made = { isVersion: true, versionCreated: new Date(), ...state };
  await prisma.document.create({
    data: { ...live, ...place, ...made, id, properties: JSON.parse(JSON.stringify(properties)) },
  });
  return id;
}
