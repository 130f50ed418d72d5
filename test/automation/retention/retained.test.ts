import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { mutations } from '../mutations/index.ts';
import { by, type Mutation, type Places } from '../mutations/mutation.ts';

const server = useServer();
useUser(server, 'bob');

/** The columns and properties that nothing may change; tags and memberships are not among them. */
async function contentOf(uids: readonly string[]): Promise<unknown> {
  const rows = await server.database.prisma.document.findMany({
    where: { id: { in: [...uids] } },
    orderBy: { id: 'asc' },
    include: { blobs: { orderBy: { xpath: 'asc' } } },
  });
  return rows.map(({ id, path, parentId, type, title, state, isTrashed, facets, properties, blobs }) => {
    const { 'nxtag:tags': _, ...others } = properties as Record<string, unknown>;
    const own = facets.filter((facet) => facet !== 'CollectionMember' && facet !== 'Notifiable').sort();
    return { id, path, parentId, type, title, state, isTrashed, own, others, blobs };
  });
}

const retaining = {
  hold: ['Document.Hold', {}],
  retention: ['Document.SetRetention', { until: '2999-01-01T00:00:00Z' }],
} as const;

type Way = keyof typeof retaining;

const isLive = (row: DocumentEntity | undefined): row is DocumentEntity =>
  !!row && !row.isVersion && !row.isProxy;

/** A folder of the places gets a document of its own below it, which is retained instead. */
async function belowOf(place: DocumentEntity): Promise<DocumentEntity> {
  return place.facets.includes('Folderish') ? createDocument(server, { parent: place.path }) : place;
}

const refusal = /is under retention or legal hold$|stays one$|is never shortened$/;

async function tryOn({ make, given }: Mutation, id: string, way: Way, isBelow: boolean, one?: string) {
  const places: Places = await make(server);
  const chosen = Object.entries(places).filter(([name, row]) => isLive(row) && (one ?? name) === name);
  const retained = await Promise.all(chosen.map(async ([, row]) => (isBelow ? belowOf(row) : row)));
  const [operation, params] = retaining[way];
  for (const row of retained) await by(server, operation, row, params);
  const uids = retained.map(({ uid }) => uid);
  const before = await contentOf(uids);
  const { status, body } = await call(server.request, id, given(places));
  if (id !== 'Document.Unhold') expect(await contentOf(uids)).toEqual(before);
  return { status, message: String(body.message ?? '') };
}

test('whatever an administrator calls, what is retained stays as it is, and the refusal is a 403 (§3)', async () => {
  const run = fc.record({
    id: fc.constantFrom(...Object.keys(mutations)),
    way: fc.constantFrom<Way>('hold', 'retention'),
    isBelow: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ id, way, isBelow }) => {
      const { status, message } = await tryOn(mutations[id] as Mutation, id, way, isBelow);
      if (status >= 300) expect([id, status, message]).toEqual([id, 403, expect.stringMatching(refusal)]);
    }),
    { numRuns: 50 },
  );
});

/** What changes nothing of its document but versions, locks, ACLs, tags, memberships and the retention itself. */
const unchanging = [
  'Audit.LogEvent',
  'Collection.RemoveFromCollection',
  'Context.StartWorkflow',
  'Document.AddACE',
  'Document.AddPermission',
  'Document.AddToCollection',
  'Document.AddToFavorites',
  'Document.BlockPermissionInheritance',
  'Document.CheckIn',
  'Document.CheckOut',
  'Document.Copy',
  'Document.CreateVersion',
  'Document.Hold',
  'Document.Lock',
  'Document.MakeRecord',
  'Document.PublishToSection',
  'Document.PublishToSections',
  'Document.RemoveACL',
  'Document.RemoveFromFavorites',
  'Document.RemovePermission',
  'Document.RemoveProxies',
  'Document.ReplacePermission',
  'Document.Save',
  'Document.SendNotificationEmailForPermission',
  'Document.SetRetention',
  'Document.Subscribe',
  'Document.UnblockPermissionInheritance',
  'Document.Unhold',
  'Document.Unlock',
  'Document.UnpublishAll',
  'Document.Unsubscribe',
  'Event.Fire',
  'PublishRendition',
  'Services.RemoveDocumentTags',
  'Services.TagDocument',
  'Services.UntagDocument',
  'Task.Create',
];

test('of the operations on a retained document exactly these go through (§3)', async () => {
  const onDocuments = Object.entries(mutations).filter(([, { needs }]) => needs.document);
  const through: string[] = [];
  for (const [id, mutation] of onDocuments) {
    const { status } = await tryOn(mutation, id, 'hold', false, 'document');
    if (status < 300) through.push(id);
  }
  expect(through.sort()).toEqual(unchanging);
});
