/**
 * Measures the CPU time that this process uses for different ways of sending the same statement, and prints the
 * results as JSON. `DATABASE_URL` is a database that contains the documents of the benchmark. Each way is measured
 * for `SECONDS` seconds in each of `ROUNDS` rounds.
 */
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { v7 } from 'uuid';
import { createDatabase } from '../../src/db/database.ts';
import { newMeter } from '../../src/db/meter.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { statements } from '../../src/db/statement.ts';
import { type Document, PrismaClient } from '../../src/generated/prisma/client.ts';
import '../../src/loaders/authorities/authorities.ts';
import '../../src/loaders/documents/documents.ts';
import '../../src/store/documents/write-document.ts';
import { documentFields } from '../../src/store/documents/column-sql.ts';

const { DATABASE_URL = '', SECONDS = '1', ROUNDS = '3', ONLY } = process.env;

const repository = 'default';
const inFlight = 16;

/** The number of statements that Prisma Client has passed to the driver. */
let sent = 0;

function counting(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  const connect = async (): Promise<SqlDriverAdapter> => {
    const adapter = await factory.connect();
    return Object.assign(Object.create(adapter), {
      queryRaw: (query: Parameters<SqlDriverAdapter['queryRaw']>[0]) => {
        sent += 1;
        return adapter.queryRaw(query);
      },
      executeRaw: (query: Parameters<SqlDriverAdapter['executeRaw']>[0]) => {
        sent += 1;
        return adapter.executeRaw(query);
      },
    });
  };
  return Object.assign(Object.create(factory), { connect });
}

const statementNameGenerator = ({ sql }: { readonly sql: string }): string =>
  names.get(sql) ??
  names.set(sql, createHash('sha256').update(sql).digest('hex').slice(0, 32)).get(sql) ??
  '';
const names = new Map<string, string>();

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const prisma = new PrismaClient({ adapter: counting(new PrismaPg(pool, { statementNameGenerator })) });
const database = createDatabase(connectServer(DATABASE_URL, 300));
const meter = newMeter();
const session = () => database.metered(meter);
const sentByAll = (): number => sent + meter.statements;

const laid = { repository, path: { startsWith: '/default-domain/workspaces/bench/' } };
const documents = await prisma.document.findMany({ where: laid, take: 5_000, orderBy: { id: 'asc' } });
const ids = documents.map(({ id }) => id);
const users = Array.from({ length: 500 }, (_, at) => `bench-${at}`);
await prisma.group.createMany({ data: [{ id: 'bench', properties: {} }], skipDuplicates: true });
await prisma.user.createMany({
  data: users.map((id) => ({ id, properties: { firstName: 'Ada', lastName: id, company: 'Bench' } })),
  skipDuplicates: true,
});
await prisma.userMembership.createMany({
  data: users.flatMap((memberId) => ['bench', 'members'].map((groupId) => ({ groupId, memberId }))),
  skipDuplicates: true,
});

const at = <Value>(values: readonly Value[], nth: number): Value =>
  values[(nth * 7919) % values.length] as Value;
const fifty = (nth: number): string[] => {
  const from = (nth * 50) % (ids.length - 50);
  return ids.slice(from, from + 50);
};

const quick = (name: string) => {
  const found = statements.get(name);
  if (!found) throw new Error(`there is no statement ${name}`);
  return { ...found, isQuick: true } as const;
};
const [documentById, documentByIds, userById] = ['document-by-id', 'document-by-ids', 'users-by-id'].map(
  quick,
);
const insert = statements.get('insert-document');
if (!documentById || !documentByIds || !userById || !insert)
  throw new Error('one of the statements does not exist');

function newDocument(nth: number): Document {
  const id = v7();
  const name = `call-${id}`;
  const above = at(documents, nth);
  return { ...above, id, name, path: `${above.path}/${name}`, parentId: above.id };
}
const insertValues = (row: Document): unknown[] =>
  documentFields.map((field) => (field === 'properties' ? JSON.stringify(row.properties) : row[field]));

type Call = (nth: number) => Promise<unknown>;

/** For each task, functions that perform it in different ways. */
const calls: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  'a document by id': {
    pg: (nth) => session().query(documentById, [repository, at(ids, nth)]),
    findUnique: (nth) =>
      prisma.document.findUnique({ where: { repository_id: { repository, id: at(ids, nth) } } }),
    findMany: (nth) => prisma.document.findMany({ where: { repository, id: { in: [at(ids, nth)] } } }),
    'findMany, metered': (nth) =>
      session().prisma.document.findMany({ where: { repository, id: { in: [at(ids, nth)] } } }),
  },
  'a user by id with groups': {
    pg: (nth) => session().query(userById, [[at(users, nth)]]),
    findUnique: (nth) =>
      prisma.user.findUnique({
        where: { id: at(users, nth) },
        include: { groups: { include: { group: true } } },
      }),
    findMany: (nth) =>
      prisma.user.findMany({
        where: { id: { in: [at(users, nth)] } },
        include: { groups: { include: { group: true } } },
      }),
  },
  'a user by id': {
    findUnique: (nth) => prisma.user.findUnique({ where: { id: at(users, nth) } }),
    findMany: (nth) => prisma.user.findMany({ where: { id: { in: [at(users, nth)] } } }),
    'findMany, metered': (nth) => session().prisma.user.findMany({ where: { id: { in: [at(users, nth)] } } }),
  },
  '50 documents by ids': {
    pg: (nth) => session().query(documentByIds, [repository, fifty(nth)]),
    findMany: (nth) => prisma.document.findMany({ where: { repository, id: { in: fifty(nth) } } }),
  },
  'create a document': {
    pg: (nth) => session().query(insert, insertValues(newDocument(nth))),
    create: (nth) => prisma.document.create({ data: newDocument(nth) as never }),
    createMany: (nth) => prisma.document.createMany({ data: [newDocument(nth) as never] }),
  },
};

interface Measured {
  /** The CPU time of this process per call, in milliseconds. */
  readonly cpu: number;
  /** The number of statements per call. */
  readonly statements: number;
}

/**
 * Repeats a call with several calls in progress at a time. Each call starts in its own turn of the event loop, like
 * requests from different clients.
 */
async function measure(call: Call, milliseconds: number): Promise<Measured> {
  let [calls, isOver] = [0, false];
  const one = async (): Promise<void> => {
    while (!isOver) {
      calls += 1;
      await call(calls);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const [before, sentBefore] = [process.cpuUsage(), sentByAll()];
  const timer = setTimeout(() => {
    isOver = true;
  }, milliseconds);
  await Promise.all(Array.from({ length: inFlight }, one));
  clearTimeout(timer);
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000 / calls, statements: (sentByAll() - sentBefore) / calls };
}

const milliseconds = Number(SECONDS) * 1000;
const results: Record<string, Record<string, Measured[]>> = {};
const wanted = Object.entries(calls).filter(([name]) => !ONLY || name === ONLY);
for (const [name, ways] of wanted) {
  const found = Object.fromEntries(Object.keys(ways).map((way): [string, Measured[]] => [way, []]));
  results[name] = found;
  for (const call of Object.values(ways)) await measure(call, milliseconds);
  for (let round = 0; round < Number(ROUNDS); round += 1)
    for (const [way, call] of Object.entries(ways)) found[way]?.push(await measure(call, milliseconds));
}
console.log(JSON.stringify(results));
await Promise.all([database.close(), prisma.$disconnect()]);
await pool.end();
