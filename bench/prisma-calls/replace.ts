/**
 * A module to preload into Quire. It replaces frequent statements with Prisma Client calls: when a connection is about
 * to send such a statement, a Prisma client that uses the connection is called instead. The result is the minimum cost
 * of a call, because the server does not have to find out which request a statement belongs to.
 */
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Document, type Prisma, PrismaClient } from '../../src/generated/prisma/client.ts';

type Answered = (error: Error | null, result?: { readonly rows: readonly unknown[] }) => void;

interface SentQuery {
  readonly name?: string;
  readonly values?: readonly unknown[];
  readonly callback?: Answered;
  /** Other statements sent in the same message, such as BEGIN. */
  readonly before?: readonly unknown[];
}

type Send = (query: unknown, ...rest: unknown[]) => unknown;
type Call = (prisma: PrismaClient, ...values: never[]) => Promise<readonly unknown[]>;

const json = <Row>(rows: readonly Row[]) => rows.map((row) => ({ row }));

/** The columns of `document`, in the order of the INSERT statement's parameters. */
const fields =
  `repository id parentId ancestorIds name path type facets title state majorVersion minorVersion isCheckedOut
  isVersion isProxy isTrashed liveId targetId baseVersionId isLatestVersion isLatestMajorVersion versionCreated
  versionComment lockOwner lockCreated isRecord retainUntil hasLegalHold position systemToken userToken aclId
  properties`.split(/\s+/);

interface LoggedEvent {
  readonly repository: string;
  readonly event_id: string;
  readonly category: string;
  readonly principal_name: string;
  readonly comment: string | null;
  readonly doc_uuid: string | null;
  readonly doc_path: string | null;
  readonly doc_type: string | null;
  readonly doc_life_cycle: string | null;
  readonly event_date: string;
  readonly extended: Prisma.InputJsonObject;
}

const logEntryOf = (event: LoggedEvent): Prisma.LogEntryCreateManyInput => ({
  repository: event.repository,
  eventId: event.event_id,
  category: event.category,
  principalName: event.principal_name,
  comment: event.comment,
  docUuid: event.doc_uuid,
  docPath: event.doc_path,
  docType: event.doc_type,
  docLifeCycle: event.doc_life_cycle,
  eventDate: event.event_date,
  extended: event.extended,
  logDate: new Date(),
});

const calls: Readonly<Record<string, Call>> = {
  'document-by-id': async (prisma, repository: string, id: string) => {
    const row = await prisma.document.findUnique({ where: { repository_id: { repository, id } } });
    return row ? json([row]) : [];
  },
  'document-by-ids': async (prisma, repository: string, ids: string[]) =>
    json(await prisma.document.findMany({ where: { repository, id: { in: ids } } })),
  'document-by-path': async (prisma, repository: string, path: string) =>
    json(await prisma.document.findMany({ where: { repository, path, isVersion: false } })),
  'children-visible-one': async (
    prisma,
    ...[repository, parentId, hidden, take, skip, max]: [string, string, string[], number, number, number]
  ) => {
    const shown = {
      isTrashed: false,
      type: { notIn: hidden },
      NOT: { facets: { has: 'HiddenInNavigation' } },
    };
    const where = { repository, parentId, isVersion: false, ...shown };
    const [total, rows] = await Promise.all([
      prisma.document.count({ where }),
      prisma.document.findMany({ where, orderBy: [{ title: 'asc' }, { id: 'asc' }], take, skip }),
    ]);
    const listTotal = Math.min(total, max);
    if (rows.length === 0) return [{ of: parentId, listTotal, row: null }];
    return rows.map((row, at) => ({ of: parentId, listTotal, row: { part: 0, at: at + 1, ...row } }));
  },
  'own-acls': async (prisma, repository: string, ids: string[]) => {
    const rows = await prisma.documentAcl.findMany({ where: { repository, documentId: { in: ids } } });
    return rows.map(({ documentId, acls }) => ({ id: documentId, acls }));
  },
  'entry-by-key': async (prisma, directory: string, id: string) => {
    const select = { directory: true, id: true, properties: true } as const;
    const row = await prisma.directoryEntry.findUnique({
      where: { directory_id: { directory, id } },
      select,
    });
    return row ? [row] : [];
  },
  /** Nested groups are ignored, because the benchmark's documents do not need them. */
  'users-by-id': async (prisma, ids: string[]) => {
    const groups = { select: { group: true }, orderBy: { groupId: 'asc' } } as const;
    const select = { id: true, properties: true, language: true, groups } as const;
    const rows = await prisma.user.findMany({ where: { id: { in: ids } }, select });
    return rows.map((row) => ({
      ...row,
      groups: row.groups.map(({ group: { id, properties } }) => ({
        id,
        label: (properties as { grouplabel?: string }).grouplabel ?? null,
        isDirect: true,
      })),
    }));
  },
  'tasks-by-id': async (prisma, repository: string, ids: string[]) => {
    const documents = { select: { documentId: true }, orderBy: { position: 'asc' } } as const;
    const rows = await prisma.task.findMany({
      where: { repository, id: { in: ids } },
      include: { workflow: { include: { documents } } },
    });
    return rows.map(({ workflow: { documents: attached, ...workflow }, ...task }) => ({
      ...task,
      workflow: { ...workflow, documentIds: attached.map(({ documentId }) => documentId) },
    }));
  },
  'insert-document-recorded': async (prisma, ...values: unknown[]) => {
    const data = Object.fromEntries(fields.map((field, at) => [field, values[at]])) as unknown as Document;
    const properties = JSON.parse(String(data.properties)) as Prisma.InputJsonObject;
    // Uses `create`, because Prisma Client compiles a new query plan for every `createMany` call, which takes three
    // times as long.
    await prisma.document.create({ data: { ...data, properties } });
    const events = JSON.parse(String(values[fields.length])) as LoggedEvent[];
    for (const event of events) await prisma.logEntry.create({ data: logEntryOf(event) });
    return [{ id: data.id }];
  },
};

const names = new Map<string, string>();

function nameOf({ sql }: { readonly sql: string }): string {
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('hex').slice(0, 32);
  names.set(sql, name);
  return name;
}

const pool = new pg.Pool(); // This pool never connects.

/** Creates a Prisma client that sends its statements over the given connection. */
function clientOn(connection: pg.Client, send: Send): PrismaClient {
  const query = (...asked: [unknown]) => send.apply(connection, asked);
  const sending: pg.Pool = Object.assign(Object.create(pool), { query, on: () => sending });
  const adapter = new PrismaPg(sending, { statementNameGenerator: nameOf });
  return new PrismaClient({ adapter, errorFormat: 'minimal' });
}

/**
 * The names of the statements to replace, from the query string of this module's URL. If it contains no names, all
 * statements are replaced.
 */
const only = new URL(import.meta.url).searchParams.get('only')?.split(',');

const clients = new WeakMap<pg.Client, PrismaClient>();
const { prototype } = pg.Client as unknown as { readonly prototype: { query: Send } };
const send = prototype.query;

prototype.query = function query(this: pg.Client, sent: unknown, ...rest: unknown[]): unknown {
  const { name = '', values = [], callback, before = [] } = sent as SentQuery;
  const isReplaced = before.length === 0 && (only?.includes(name) ?? true);
  const call = isReplaced ? calls[name] : undefined;
  if (!call || !callback) return send.call(this, sent, ...rest);
  const prisma = clients.get(this) ?? clientOn(this, send);
  clients.set(this, prisma);
  call(prisma, ...(values as never[])).then(
    (rows) => callback(null, { rows }),
    (error: Error) => callback(error),
  );
  return undefined;
};
