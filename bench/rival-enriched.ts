/**
 * What somebody would write by hand who needs a page of documents with their creators, the caller's permissions, tags
 * and whether there is content, and nothing but speed: Express, `pg` and one statement for all of it. No
 * authentication, no rights, no content model.
 */
import express from 'express';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

type Entity = Record<string, unknown>;

/** What an administrator may do: everything there is. */
const permissions = JSON.parse(process.env.PERMISSIONS ?? '[]') as string[];

interface Row {
  readonly body: Entity & { properties: Entity };
  readonly total: number;
  readonly creator: Entity | null;
  readonly tags: readonly string[];
  readonly has: boolean;
}

const text = `
  SELECT d.body, count(*) OVER ()::int AS total, u.body AS creator,
    ARRAY(SELECT DISTINCT t.label FROM tag t WHERE t.document = d.id ORDER BY t.label) AS tags,
    EXISTS (SELECT FROM document c WHERE c.parent = d.id) AS has
  FROM document d LEFT JOIN person u ON u.id = d.creator
  WHERE d.parent = $1 ORDER BY d.title LIMIT 50`;

function entryOf({ body, creator, tags, has }: Row): Entity {
  const properties = creator ? { ...body.properties, 'dc:creator': creator } : body.properties;
  return { ...body, properties, contextParameters: { hasContent: has, permissions, tags } };
}

/** The same envelope as ours, of a page that is all there is. */
const envelope = JSON.parse(process.env.ENVELOPE ?? '{}') as Entity;

const app = express();
app.disable('x-powered-by');
app.set('etag', false);

app.get('/health/ready', (_, response) => response.json({}));

app.get('/id/:id/@children', async ({ params }, response) => {
  const { rows } = await pool.query<Row>({ name: 'children', text, values: [params.id] });
  const total = rows[0]?.total ?? 0;
  const counted = { resultsCount: total, resultsCountLimit: total, totalSize: total };
  response.json({ ...envelope, ...counted, currentPageSize: rows.length, entries: rows.map(entryOf) });
});

app.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');
