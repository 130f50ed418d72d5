/**
 * A hand-written server that returns enriched documents and is optimized only for speed: Express, `pg`, and one or two
 * statements per response. Like any server, it must authenticate users and check permissions, but it has no content
 * model.
 */
import express from 'express';
import pg from 'pg';
import { type Entity, entityOf, fetched, type Row, withEnrichers } from './rival-entities.ts';
import { authenticate, rights, sendDocument } from './rival-guards.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const tags = 'ARRAY(SELECT DISTINCT t.label FROM tag t WHERE t.document = d.id ORDER BY t.label) AS tags';
const has = 'EXISTS (SELECT FROM document c WHERE c.parent = d.id) AS has';
const favorite = `EXISTS (
  SELECT FROM favorite f WHERE f.person = 'Administrator' AND f.document = d.id) AS favorite`;
const aces = 'ARRAY(SELECT a.body FROM ace a WHERE a.acl = d.acl ORDER BY a.position) AS aces';

const five = `d.body, d.acl, d.ancestors, d.is_acl_own, ${aces}, ${tags}, ${favorite}`;
const withAncestors = `
  SELECT ${five} FROM document d WHERE d.id = $1 UNION ALL
  SELECT ${five} FROM document o JOIN document d ON d.id = ANY(o.ancestors) WHERE o.id = $1`;

const withReferences = `
  SELECT d.body, d.acl, ARRAY(SELECT p.body FROM person p WHERE p.id = ANY(d.people)) AS people,
    ARRAY(SELECT e.body FROM entry e WHERE e.id = ANY(d.entries)) AS entries
  FROM document d WHERE d.id = $1`;

const pageWithCreators = `
  SELECT d.body, d.acl, count(*) OVER ()::int AS total, u.body AS creator, ${tags}, ${has}
  FROM document d LEFT JOIN person u ON u.id = d.creator
  WHERE d.parent = $1 ORDER BY d.title LIMIT 50`;

const browsed = `d.body, d.acl, d.ancestors, d.people, d.entries, ${tags}, ${favorite}, ${has}`;
const pageWithAncestors = `
  WITH page AS (
    SELECT d.*, count(*) OVER ()::int AS total FROM document d WHERE d.parent = $1 ORDER BY d.title LIMIT 40
  )
  SELECT ${browsed}, d.total FROM page d UNION ALL
  SELECT ${browsed}, NULL FROM document o JOIN document d ON d.id = o.id OR d.id = ANY(o.ancestors)
  WHERE o.id = $1`;
const references = `
  SELECT body, NULL::jsonb AS parent FROM person WHERE id = ANY($1) UNION ALL
  SELECT e.translated, p.translated FROM entry e LEFT JOIN entry p ON p.id = e.parent WHERE e.id = ANY($2)`;

async function query<Found>(name: string, text: string, values: unknown[]): Promise<Found[]> {
  return (await pool.query({ name, text, values })).rows as Found[];
}

interface Listing {
  readonly envelope: Entity;
  readonly pageSize: number;
}

/** Creates a page with the same fields as Quire's pages. */
function page({ envelope, pageSize }: Listing, total: number, entries: readonly Entity[]): Entity {
  const pageCount = Math.ceil(total / pageSize);
  const counted = { resultsCount: total, resultsCountLimit: total, totalSize: total };
  const pages = { numberOfPages: pageCount, pageCount, currentPageSize: entries.length };
  return { ...envelope, ...counted, ...pages, entries };
}

const envelopes = JSON.parse(process.env.ENVELOPES ?? '{}') as Record<'creators' | 'browser', Entity>;

const app = express();
app.disable('x-powered-by');
app.set('etag', false);

const mayRead = await rights(pool);

app.get('/health/ready', (_, response) => response.json({}));
app.use(authenticate(pool), (_, response, next) => {
  response.setHeader('Cache-Control', 'private, no-cache');
  next();
});

for (const isDeep of [true, false]) {
  app.get(`/${isDeep ? 'enriched' : 'flat'}/id/:id`, async ({ params }, response) => {
    const rows = await query<Row>('ancestors', withAncestors, [params.id]);
    const [first] = rows;
    if (!first) return void response.sendStatus(404);
    if (!mayRead(response, first)) return void response.sendStatus(403);
    const byId = new Map(rows.filter((row) => mayRead(response, row)).map((row) => [row.body.uid, row]));
    sendDocument(response, withEnrichers(first, byId, { isDeep, has: false }));
  });
}

app.get('/fetched/id/:id', async ({ params }, response) => {
  const [row] = await query<Row & { people: Entity[]; entries: Entity[] }>('references', withReferences, [
    params.id,
  ]);
  if (!row) return void response.sendStatus(404);
  if (!mayRead(response, row)) return void response.sendStatus(403);
  const byId = new Map([...row.people, ...row.entries].map((entity) => [entity.id, entity]));
  sendDocument(response, fetched(row.body, byId));
});

app.get('/creators/id/:id/@children', async ({ params }, response) => {
  type Listed = Row & { readonly total: number; readonly creator: Entity | null };
  const rows = await query<Listed>('creators', pageWithCreators, [params.id]);
  const entries = rows
    .filter((row) => mayRead(response, row))
    .map((row) => {
      const entity = entityOf(row, ['hasContent', 'permissions', 'tags']);
      const { creator } = row;
      return creator ? { ...entity, properties: { ...row.body.properties, 'dc:creator': creator } } : entity;
    });
  response.json(page({ envelope: envelopes.creators, pageSize: 50 }, rows[0]?.total ?? 0, entries));
});

app.get('/browser/id/:id/@children', async ({ params }, response) => {
  type Listed = Row & { total: number | null; people: string[]; entries: string[] };
  const found = await query<Listed>('browsed', pageWithAncestors, [params.id]);
  const rows = found.filter((row) => mayRead(response, row));
  const people = [...new Set(rows.flatMap((row) => row.people))];
  const ids = [...new Set(rows.flatMap((row) => row.entries))];
  const referred = await query<{ body: Entity; parent: Entity | null }>('referred', references, [
    people,
    ids,
  ]);
  const byId = new Map<unknown, Entity>();
  for (const { body, parent } of referred) {
    const properties = parent ? { ...(body.properties as Entity), parent } : body.properties;
    byId.set(body.id, parent ? { ...body, properties } : body);
  }
  const above = new Map(rows.map((row) => [row.body.uid, row]));
  const shown = new Map<unknown, Entity>();
  const options = { isDeep: true, has: true, references: byId, shown };
  const entries = rows.filter(({ total }) => total !== null).map((row) => withEnrichers(row, above, options));
  response.json(page({ envelope: envelopes.browser, pageSize: 40 }, rows[0]?.total ?? 0, entries));
});

app.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');
