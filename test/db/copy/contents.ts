import type { Database } from '../../../src/db/database.ts';
import { codeFor, register, tokensFor } from '../../oauth2/flow.ts';
import { acquiring } from '../../rest/tokens/token-requests.ts';
import { beginUpload, cut, send } from '../../rest/uploads/upload-requests.ts';
import { setAcl } from '../../support/acls.ts';
import { administrator } from '../../support/administrator.ts';
import {
  atId,
  createDocument,
  type DocumentEntity,
  documentBody,
  missingId,
} from '../../support/documents.ts';
import { indexChanges } from '../../support/index-changes.ts';
import { calling } from '../../support/requests.ts';
import type { TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';

/** A text that a careless copy would change. */
const odd = 'a "quoted" \\ line\n\ttab, {braces}, NULL, \u2028, 漢字 and 🦉';

async function people(server: TestServer): Promise<void> {
  const { request, database } = server;
  for (const id of ['crew', 'team'])
    await request.post('/api/v1/group').send({ 'entity-type': 'group', groupname: id });
  await database.prisma.groupMembership.create({ data: { memberId: 'crew', groupId: 'team' } });
  await createUser(server, 'ann', ['crew']);
  await acquiring(server).tokenOf('ann', odd);
  await register(server);
  await tokensFor(server);
  await codeFor(server);
}

async function files(server: TestServer): Promise<DocumentEntity> {
  const request = as(server, 'ann');
  const batch = await beginUpload(request);
  await send(request, batch, 0, { content: 'whole', name: odd }).expect(201);
  const [first] = cut('in two chunks', 2);
  if (first) await send(request, batch, 1, first).expect(202);
  const properties = {
    'dc:title': odd,
    'dc:description': odd.repeat(20),
    'file:content': { content: odd },
  };
  return createDocument(server, { name: odd.replaceAll(/[\n\t/]/g, ' '), properties });
}

const ask = async <Row>({ query }: Pick<Database, 'query'>, text: string): Promise<Row[]> =>
  query<Row>({ name: '', text }, []);

/** Sends requests that fill every table. @returns a document with a history */
export async function fillTables(server: TestServer): Promise<DocumentEntity> {
  const { request } = server;
  const run = calling(server);
  await people(server);
  const file = await files(server);
  const collection = await createDocument(server, { type: 'Collection' });
  const section = await createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
  await run('Services.TagDocument', file.uid, { tags: 'Red,Žluť' }).expect(200);
  await run('Document.AddToCollection', file.uid, { collection: collection.uid }).expect(200);
  await run('Document.CreateVersion', file.uid, { increment: 'Major' }).expect(200);
  await run('Document.PublishToSection', file.uid, { target: section.uid }).expect(200);
  await run('Document.Subscribe', file.uid).expect(200);
  const mail = { subject: odd.split('\n')[0], message: odd, to: 'ann@example.org', files: 'file:content' };
  await run('Document.Mail', file.uid, mail).expect(200);
  await createUser(server, 'former');
  await server.request.delete('/api/v1/user/former').expect(204);
  const guest = { username: 'guest', email: 'guest@example.org' };
  await run('User.Invite', { 'entity-type': 'user', properties: guest }).expect(200);
  await setAcl(server, file.path, [
    { username: 'ann', permission: 'ReadWrite', end: '2100-01-01T00:00:00Z' },
  ]);
  const workflow = { workflowModelName: 'SerialDocumentReview', attachedDocumentIds: [file.uid] };
  await request
    .post('/api/v1/workflow')
    .send({ 'entity-type': 'workflow', ...workflow })
    .expect(201);
  await request
    .put(atId(file.uid))
    .set('Idempotency-Key', 'key')
    .send(documentBody({ properties: { 'dc:source': 'kept' } }))
    .expect(200);
  for (const length of [16_000, 3_000_000]) {
    await createDocument(server, {
      type: 'Note',
      properties: { 'note:note': odd.repeat(length / odd.length) },
    });
  }
  await run('Document.Trash', (await createDocument(server)).uid).expect(200);
  const { headers } = await request
    .post('/api/v1/automation/Log/@async')
    .send({ params: { level: 'info', message: 'm' } });
  await until(async () => (await request.get(new URL(headers.location ?? '').pathname)).status === 303);
  const { digest } = await server.database.prisma.documentBlob.findFirstOrThrow();
  await server.database.prisma.bulkCommand.create({
    data: {
      id: missingId,
      repository: 'default',
      username: 'ann',
      action: 'trash',
      parameters: {},
      query: {},
      state: 'COMPLETED',
      items: { create: { depth: 3, documentId: file.uid, error: odd } },
      files: { create: { position: 0, digest, length: 2n ** 40n } },
    },
  });
  const { id: executionId } = await server.database.prisma.execution.findFirstOrThrow();
  await server.database.prisma.executionFile.create({
    data: { repository: 'default', executionId, digest },
  });
  await server.database.prisma.conversion.create({
    data: {
      userId: 'ann',
      sourceDigest: digest,
      sourceType: 'text/plain',
      converters: [odd],
      parameters: { odd },
      stem: odd,
      error: { odd },
    },
  });
  await server.database.prisma.rendition.create({
    data: { sourceDigest: odd, converter: 'thumbnail', failures: 3, error: odd },
  });
  await server.journal.flush();
  await ask(
    server.database,
    `INSERT INTO file_words (digest, words) VALUES ('${digest}', words_of_text('${odd.replaceAll("'", "''")}'))`,
  );
  for (const table of ['search_rebuild', 'search_rebuild_change'])
    await ask(
      server.database,
      `INSERT INTO ${table} (repository, document_id) SELECT repository, id FROM document LIMIT 1`,
    );
  const link = { 'entity-type': 'shareLink', mode: 'read', password: odd };
  await request
    .post(`${atId(file.uid)}/@share`)
    .send(link)
    .expect(201);
  await server.anonymous.post('/login').send(administrator).expect(204);
  const { prisma } = server.database;
  const userId = administrator.username;
  await prisma.passwordReset.create({ data: { userId, tokenHash: odd, sentAt: new Date() } });
  await prisma.secondFactor.create({ data: { userId: 'ann', sealedSecret: odd, lastStep: 1 } });
  await prisma.recoveryCode.create({ data: { userId: 'ann', hash: odd } });
  await server.database.prisma.guestCode.create({
    data: { guest: odd, codeHash: odd, sentAt: new Date() },
  });
  await server.database.prisma.storageReport.create({
    data: { repository: 'default', parts: { odd }, countedAt: new Date() },
  });
  await server.database.prisma.extensionSequence.create({
    data: { extension: odd, name: odd, value: 2n ** 53n },
  });
  await server.database.prisma.identity.create({
    data: {
      provider: odd,
      subject: odd,
      userId: 'ann',
      sessions: { create: { sid: odd, sealedToken: odd, expiresAt: new Date() } },
    },
  });
  await server.database.prisma.webhook.create({
    data: { repository: 'default', url: odd, path: odd, sealedSecret: odd, createdBy: odd, isEnabled: false },
  });
  await server.database.prisma.job.create({
    data: { kind: 'a', key: 'b', once: odd, payload: { odd }, error: odd },
  });
  return file;
}

type Rows = Readonly<Record<string, readonly string[]>>;

/** Updates the search index and reads the rows of every table as sorted texts. */
export async function allRows(database: Pick<Database, 'query' | 'announce'>): Promise<Rows> {
  const tables = await ask<{ name: string }>(
    database,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  if (tables.some(({ name }) => name === 'search_change')) await indexChanges(database);
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await ask<{ row: string }>(database, `SELECT t::text AS row FROM "${name}" t`);
    rows[name] = found.map(({ row }) => row).sort();
  }
  return rows;
}

/**
 * Describes the tables as SQL: columns, constraints, indexes, triggers, functions and sequences. Leaves out the indexes
 * that a server creates at its start for its model, and their extension.
 */
export async function schemaOf(database: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await ask<{ line: string }>(
    database,
    `SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS line
     FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT pg_get_constraintdef(oid) || conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT indexdef FROM pg_indexes
       WHERE schemaname = 'public' AND indexname NOT LIKE 'search\\_value\\_%'
     UNION ALL SELECT pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
     UNION ALL SELECT sequencename || ' ' || coalesce(last_value, 0) FROM pg_sequences WHERE schemaname = 'public'`,
  );
  return rows.map(({ line }) => line).sort();
}
