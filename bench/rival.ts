/**
 * A hand-written server that is optimized only for speed: Express, `pg`, and one table with the complete entity in
 * a `jsonb` column. It has no authentication, content model, validation, transactions or ETags.
 */
import { randomUUID } from 'node:crypto';
import express from 'express';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

type Entity = Record<string, unknown>;

/** Quire's response to the same POST request. It provides the fields that the body does not set. */
const template = JSON.parse(process.env.CREATED ?? '{}') as Entity;

const statement = (name: string, text: string) => (values: unknown[]) =>
  pool.query<{ body: Entity; total: number }>({ name, text, values });

const byId = statement('by-id', 'SELECT body FROM document WHERE id = $1');
const byPath = statement('by-path', 'SELECT body FROM document WHERE path = $1');
const children = statement(
  'children',
  'SELECT body, count(*) OVER ()::int AS total FROM document WHERE parent = $1 ORDER BY title LIMIT 50',
);
const insert = statement(
  'insert',
  'INSERT INTO document (id, path, parent, title, body) VALUES ($1, $2, $3, $4, $5)',
);

/** Creates a page with the same fields as Quire's pages. */
function page(rows: ReadonlyArray<{ body: Entity; total: number }>): Entity {
  const total = rows[0]?.total ?? 0;
  const pages = Math.ceil(total / 50);
  return {
    'entity-type': 'documents',
    isPaginable: true,
    resultsCount: total,
    pageSize: 50,
    maxPageSize: 1000,
    resultsCountLimit: total,
    currentPageSize: rows.length,
    currentPageIndex: 0,
    currentPageOffset: 0,
    numberOfPages: pages,
    isPreviousPageAvailable: false,
    isNextPageAvailable: total > 50,
    isLastPageAvailable: total > 50,
    isSortable: true,
    hasError: false,
    errorMessage: null,
    totalSize: total,
    pageIndex: 0,
    pageCount: pages,
    entries: rows.map(({ body }) => body),
  };
}

function created(parent: string, given: { name: string; properties: Entity }): Entity {
  const { name, properties } = given;
  const title = properties['dc:title'] ?? name;
  return {
    ...template,
    uid: randomUUID(),
    name,
    path: `/created/${parent}/${name}`,
    parentRef: parent,
    title,
    lastModified: new Date().toISOString(),
    properties: { ...(template.properties as Entity), ...properties },
  };
}

const app = express();
app.disable('x-powered-by');
app.set('etag', false);

app.get('/health/ready', (_, response) => response.json({}));

app.get('/id/:id', async ({ params }, response) => {
  const { rows } = await byId([params.id]);
  if (rows[0]) response.json(rows[0].body);
  else response.sendStatus(404);
});

app.get('/path{/*path}', async ({ params }, response) => {
  const { rows } = await byPath([`/${(params.path ?? []).join('/')}`]);
  if (rows[0]) response.json(rows[0].body);
  else response.sendStatus(404);
});

app.get('/id/:id/@children', async ({ params }, response) => {
  response.json(page((await children([params.id])).rows));
});

app.post('/id/:id', express.json(), async ({ params, body }, response) => {
  const entity = created(params.id, body as { name: string; properties: Entity });
  await insert([entity.uid, entity.path, params.id, entity.title, entity]);
  response.status(201).json(entity);
});

app.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');
