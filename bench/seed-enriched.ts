import pg from 'pg';
import { authorization } from './ours.ts';
import { execute } from './postgres.ts';
import { type Entity, seedRival } from './seed.ts';

/** Every document of ours gets two tags, and one folder becomes one of a thousand files; past our own API. */
export async function seedTags(databaseUrl: string): Promise<void> {
  const tags = ['archive', 'figures'].map((label) => ({ label, username: 'Administrator' }));
  await execute(
    databaseUrl,
    `UPDATE document SET properties = properties || '${JSON.stringify({ 'nxtag:tags': tags })}' WHERE path LIKE '%/bench/%'`,
  );
  await execute(
    databaseUrl,
    `WITH above AS (
       SELECT * FROM document WHERE path = '/default-domain/workspaces'
     ), folder AS (
       INSERT INTO document (repository, id, parent_id, ancestor_ids, name, path, type, facets, title, acl_id)
       SELECT repository, gen_random_uuid(), id, ancestor_ids || id, 'thousand', path || '/thousand', 'Folder', '{}',
         'Thousand', acl_id FROM above
       RETURNING *
     )
     INSERT INTO document (repository, id, parent_id, ancestor_ids, name, path, type, facets, title, acl_id, properties)
     SELECT f.repository, gen_random_uuid(), f.id, f.ancestor_ids || f.id, 'file-' || n, f.path || '/file-' || n, 'File',
       '{}', 'File ' || n, f.acl_id, d.properties || jsonb_build_object('dc:title', 'File ' || n)
     FROM folder f, generate_series(1, 1000) AS n,
       (SELECT properties FROM document WHERE path LIKE '%/bench/folder-0000/file-%' LIMIT 1) AS d`,
  );
  await execute(databaseUrl, 'VACUUM ANALYZE');
}

const tables = `
  ALTER TABLE document ADD creator text;
  UPDATE document SET creator = body -> 'properties' ->> 'dc:creator';
  CREATE TABLE person (id text PRIMARY KEY, body jsonb);
  CREATE TABLE tag (document uuid, label text, PRIMARY KEY (document, label));
  INSERT INTO tag SELECT d.id, t ->> 'label' FROM document d, jsonb_array_elements(d.body -> 'properties' -> 'nxtag:tags') AS t`;

/** Lays the same documents for the rival, with tags and people in tables of their own. */
export async function seedEnrichedRival(
  databaseUrl: string,
  all: readonly Entity[],
  base: string,
): Promise<void> {
  await seedRival(databaseUrl, all);
  await execute(databaseUrl, tables);
  const response = await fetch(`${base}/user/Administrator`, { headers: { authorization } });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('INSERT INTO person VALUES ($1, $2)', ['Administrator', await response.text()]);
  await client.end();
  await execute(databaseUrl, 'VACUUM ANALYZE');
}
