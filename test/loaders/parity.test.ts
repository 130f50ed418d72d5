import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import { accountOf } from '../../src/loaders/authorities/account.ts';
import { createLoaders, type Loaders } from '../../src/loaders/index.ts';
import { postGroup, postUser } from '../rest/authorities/authority-requests.ts';
import { createEntry } from '../rest/directories/directory-requests.ts';
import { grant, setAcl } from '../support/acls.ts';
import { createDocument, documentBody, workspaces } from '../support/documents.ts';
import { testScope } from '../support/scope.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
const { request } = server;

/** The ids of everything that was created through the API, by kind. */
interface Made {
  readonly document: string[];
  readonly user: string[];
  readonly group: string[];
  readonly entry: string[];
  readonly workflow: string[];
  readonly batch: string[];
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.includes('\0'));
const label = text.filter((value) => value.trim() !== '');
const moment = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

/** A text of 3 kB that cannot be compressed, so that large properties are read separately. */
const longText = (seed: number): string =>
  Array.from({ length: 64 }, (_, at) => createHash('sha256').update(`${seed} ${at}`).digest('base64')).join(
    ' ',
  );

const documents = fc.record({
  type: fc.constantFrom('File', 'Note', 'Folder'),
  properties: fc.record(
    {
      'dc:title': text,
      'dc:description': fc.oneof(text, fc.nat().map(longText)),
      'dc:expired': moment.map((date) => date.toISOString()),
      'dc:rights': text,
    },
    { requiredKeys: [] },
  ),
  isVersioned: fc.boolean(),
  isReadableBy: fc.boolean(),
});

const content = fc.record({
  documents: fc.array(documents, { minLength: 2, maxLength: 4 }),
  names: fc.array(fc.record({ firstName: text, lastName: text, company: text }, { requiredKeys: [] }), {
    minLength: 1,
    maxLength: 2,
  }),
  labels: fc.array(label, { minLength: 1, maxLength: 3 }),
  files: fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 3 }),
});

type Content = typeof content extends fc.Arbitrary<infer Value> ? Value : never;

/** Creates the content through the API. */
async function make(given: Content): Promise<Made> {
  const inner = await postGroup(server, { grouplabel: given.labels[0] });
  const outer = await postGroup(server, { memberGroups: [inner] });
  const made: Made = { document: [], user: [], group: [outer, inner], entry: [], workflow: [], batch: [] };
  for (const properties of given.names)
    made.user.push(await postUser(server, { ...properties, groups: [inner] }));
  for (const shown of given.labels) {
    const { id } = await createEntry(server, 'nature', { label: shown, ordering: shown.length });
    made.entry.push(id);
  }
  for (const { type, properties, isVersioned, isReadableBy } of given.documents) {
    const { uid, path } = await createDocument(server, { type, properties });
    made.document.push(uid);
    if (isReadableBy)
      await setAcl(
        server,
        path,
        [...made.user, inner].map((name) => grant(name, 'Read')),
      );
    if (!isVersioned || type === 'Folder') continue;
    const version = documentBody({ properties: { 'dc:source': 'changed' } });
    await request.put(`/api/v1/id/${uid}`).set('X-Versioning-Option', 'MINOR').send(version).expect(200);
  }
  const workflow = {
    'entity-type': 'workflow',
    workflowModelName: 'SerialDocumentReview',
    attachedDocumentIds: made.document.filter((_, at) => given.documents[at]?.type !== 'Folder'),
  };
  made.workflow.push((await request.post('/api/v1/workflow').send(workflow).expect(201)).body.id);
  const { batchId } = (await request.post('/api/v1/upload').expect(201)).body;
  made.batch.push(batchId);
  for (const [index, bytes] of given.files.entries())
    await request
      .post(`/api/v1/upload/${batchId}/${index}`)
      .set('X-File-Name', `file-${index}`)
      .set('Content-Type', 'application/octet-stream')
      .send(Buffer.from(bytes))
      .expect(201);
  return made;
}

interface Reading {
  readonly load: Loaders;
  readonly prisma: PrismaClient;
  readonly made: Made;
}

/** The additional fields of rows that pages of lists have. */
const ofPage = new Set(['of', 'listTotal', 'part', 'at']);

const entryOf = (row: object) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !ofPage.has(name)));

const inDefault = { repository: 'default' };
const namesOf = <Row extends object, Field extends keyof Row>(
  rows: readonly Row[],
  field: Field,
): Row[Field][] => rows.map((row) => row[field]);

/** What the loaders of a request read, and what Prisma Client reads, both in the order of the ids. */
const readings: Readonly<
  Record<string, (reading: Reading) => Promise<readonly [loaded: unknown, read: unknown]>>
> = {
  documents: async ({ load, prisma, made }) => {
    const versions = { ...inDefault, liveId: { in: made.document }, isVersion: true };
    const ids = [
      ...made.document,
      ...namesOf(await prisma.document.findMany({ where: versions }), 'id'),
    ].sort();
    return [
      await load.documentById.loadMany(ids),
      await prisma.document.findMany({ where: { ...inDefault, id: { in: ids } }, orderBy: { id: 'asc' } }),
    ];
  },
  'documents by path': async ({ load, prisma, made }) => {
    const where = { ...inDefault, id: { in: made.document } };
    const read = await prisma.document.findMany({ where, orderBy: { path: 'asc' } });
    return [await load.documentByPath.loadMany(namesOf(read, 'path')), read];
  },
  children: async ({ load, prisma, made }) => {
    const parent = await prisma.document.findFirstOrThrow({ where: { ...inDefault, path: workspaces } });
    const page = { pageSize: 0, offset: 0, sortBy: [], sortOrder: [] };
    const { rows } = await load.children(parent, page);
    const where = { ...inDefault, parentId: parent.id, id: { in: made.document } };
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    return [
      rows
        .filter(({ id }) => made.document.includes(id))
        .toSorted(byId)
        .map(entryOf),
      await prisma.document.findMany({ where, orderBy: { id: 'asc' } }),
    ];
  },
  'ACLs of documents': async ({ load, prisma, made }) => {
    const where = { ...inDefault, documentId: { in: made.document } };
    const read = await prisma.documentAcl.findMany({ where, orderBy: { documentId: 'asc' } });
    return [
      await load.acls.loadMany(namesOf(read, 'documentId')),
      read.map(({ documentId, acls }) => ({ id: documentId, acls })),
    ];
  },
  'effective ACLs': async ({ load, prisma }) => {
    const read = await prisma.effectiveAcl.findMany({ where: inDefault });
    return [await Promise.all(read.map(({ id }) => load.access.entries(id))), namesOf(read, 'entries')];
  },
  users: async ({ load, prisma, made }) => {
    const where = { id: { in: made.user } };
    const read = await prisma.user.findMany({ where, orderBy: { id: 'asc' }, include: { groups: true } });
    const loaded = await Promise.all(namesOf(read, 'id').map((id) => load.userById.load(id)));
    return [
      loaded.map((row) => ({
        ...row,
        groups: row?.groups.filter(({ isDirect }) => isDirect).map(({ id }) => id),
      })),
      read.map(({ id, properties, language, isNotified, groups }) => ({
        id,
        properties,
        language,
        isNotified,
        groups: namesOf(groups, 'groupId'),
      })),
    ];
  },
  accounts: async ({ prisma, made }) => {
    const where = { id: { in: made.user } };
    const read = await prisma.user.findMany({
      where,
      include: { secondFactor: true },
      orderBy: { id: 'asc' },
    });
    const loaded = await Promise.all(
      namesOf(read, 'id').map((id) => accountOf(server.database, id, server.services)),
    );
    return [
      loaded,
      read.map(({ id, passwordHash, credentialsEndedAt, secondFactor }) => ({
        id,
        passwordHash,
        credentialsEndedAt,
        hasSecondFactor: secondFactor !== null,
        groups: [...made.group].sort(),
      })),
    ];
  },
  'groups and members': async ({ load, prisma, made }) => {
    const [outer = '', inner = ''] = made.group;
    const members = await prisma.userMembership.findMany({
      where: { groupId: inner },
      orderBy: { memberId: 'asc' },
    });
    const inside = await prisma.groupMembership.findMany({ where: { groupId: outer } });
    return [
      [
        await load.groupById.loadMany(made.group),
        await load.groupMemberships('memberUsers', inner),
        await load.groupMemberships('memberGroups', outer),
      ],
      [
        await Promise.all(made.group.map((id) => prisma.group.findUnique({ where: { id } }))),
        namesOf(members, 'memberId'),
        namesOf(inside, 'memberId'),
      ],
    ];
  },
  'entries of directories': async ({ load, prisma, made }) => {
    const where = { directory: 'nature', id: { in: made.entry } };
    const read = await prisma.directoryEntry.findMany({ where, orderBy: { id: 'asc' } });
    return [
      await load.directoryEntryByKey.loadMany(read.map(({ directory, id }) => ({ directory, id }))),
      read.map(({ ordering: _, ...entry }) => entry),
    ];
  },
  workflows: async ({ load, prisma, made }) => {
    const where = { ...inDefault, id: { in: made.workflow } };
    const documents = { orderBy: { position: 'asc' } } as const;
    const read = await prisma.workflow.findMany({ where, include: { documents } });
    return [
      await load.workflowById.loadMany(made.workflow),
      read.map(({ repository: _, createdAt: __, documents: of, ...workflow }) => ({
        ...workflow,
        documentIds: namesOf(of, 'documentId'),
      })),
    ];
  },
  tasks: async ({ load, prisma, made }) => {
    const where = { ...inDefault, workflowId: { in: made.workflow } };
    const read = await prisma.task.findMany({ where, orderBy: { id: 'asc' } });
    const [workflow] = await load.workflowById.loadMany(made.workflow);
    return [
      await load.taskById.loadMany(namesOf(read, 'id')),
      read.map(({ repository: _, workflowId: __, ...task }) => ({ ...task, workflow })),
    ];
  },
  uploads: async ({ load, prisma, made }) => {
    const [id = ''] = made.batch;
    const where = { batchId: id.slice('batchId-'.length) };
    const read = await prisma.uploadFile.findMany({
      where,
      orderBy: { index: 'asc' },
      include: { chunks: true },
    });
    return [
      (await load.uploadBatches([id])).get(id)?.files,
      read.map((file) => ({
        ...file,
        batchId: id,
        size: Number(file.size),
        chunks: namesOf(file.chunks, 'index'),
      })),
    ];
  },
  'entries of the log': async ({ load, prisma }) => {
    const page = { pageSize: 20, offset: 0 };
    const { rows } = await load.logEntries({}, page);
    const read = await prisma.logEntry.findMany({ where: { id: { in: rows.map(({ id }) => BigInt(id)) } } });
    const byId = new Map(read.map((entry) => [Number(entry.id), entry]));
    return [
      rows.map(entryOf),
      rows.map(({ id }) => {
        // Only the inbox reads whom an entry concerns.
        const {
          repository,
          docUuid,
          concerns: _,
          ...entry
        } = byId.get(id) ?? {
          repository: '',
          docUuid: null,
          concerns: [],
        };
        return { ...entry, id, docUUID: docUuid, repositoryId: repository === '' ? null : repository };
      }),
    ];
  },
};

test('Loaders return the same rows as Prisma Client for all kinds of content', async () => {
  const prisma = server.database.prisma;
  await fc.assert(
    fc.asyncProperty(content, async (given) => {
      const made = await make(given);
      for (const [name, read] of Object.entries(readings)) {
        const load = createLoaders(testScope(server.database));
        const [loaded, expected] = await read({ load, prisma, made });
        expect({ [name]: loaded }).toEqual({ [name]: expected });
      }
    }),
    { numRuns: 5, endOnFailure: true },
  );
});
