import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { authorization } from './ours.ts';
import { execute } from './postgres.ts';
import { type Entity, seedRival } from './seed.ts';

/** Inserts a folder of a thousand files directly into Quire's database. */
export async function seedThousand(databaseUrl: string): Promise<void> {
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
  ALTER TABLE document ADD creator text, ADD ancestors uuid[], ADD acl int DEFAULT 1,
    ADD is_acl_own boolean DEFAULT false, ADD people text[], ADD entries text[];
  WITH RECURSIVE below AS (
    SELECT id, '{}'::uuid[] AS ancestors FROM document WHERE parent IS NULL UNION ALL
    SELECT d.id, b.ancestors || b.id FROM document d JOIN below b ON d.parent = b.id
  )
  UPDATE document d SET ancestors = b.ancestors, is_acl_own = d.parent IS NULL,
    creator = body -> 'properties' ->> 'dc:creator',
    people = ARRAY(
      SELECT jsonb_array_elements_text(body -> 'properties' -> 'dc:contributors') UNION
      SELECT body -> 'properties' ->> 'dc:creator'),
    entries = ARRAY(
      SELECT regexp_replace(s, '.*/', '') FROM jsonb_array_elements_text(body -> 'properties' -> 'dc:subjects') AS s
      UNION ALL SELECT body -> 'properties' ->> 'dc:nature' WHERE body -> 'properties' ->> 'dc:nature' IS NOT NULL)
    FROM below b WHERE b.id = d.id;
  CREATE TABLE person (id text PRIMARY KEY, body jsonb, hash text, is_administrator boolean);
  CREATE TABLE tag (document uuid, label text, PRIMARY KEY (document, label));
  CREATE TABLE favorite (person text, document uuid, PRIMARY KEY (person, document));
  CREATE TABLE ace (acl int, position int, body jsonb, PRIMARY KEY (acl, position));
  CREATE TABLE entry (id text PRIMARY KEY, parent text, body jsonb, translated jsonb);
  INSERT INTO tag SELECT d.id, t ->> 'label' FROM document d, jsonb_array_elements(d.body -> 'properties' -> 'nxtag:tags') AS t`;

type Read = Readonly<Record<string, unknown>>;

async function read(address: string, headers: Record<string, string> = {}): Promise<Read> {
  const response = await fetch(address, { headers: { authorization, ...headers } });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Read;
}

/** Reads the ancestors of the folders, starting with the root. */
const readAbove = (base: string): Promise<Read[]> =>
  Promise.all(
    ['', '/default-domain', '/default-domain/workspaces', '/default-domain/workspaces/bench'].map((path) =>
      read(`${base}/path${path}/`),
    ),
  );

async function readEntries(base: string, directory: string): Promise<unknown[][]> {
  const address = `${base}/directory/${directory}?pageSize=1000`;
  const { entries } = await read(address);
  const shown = await read(address, { 'translate.directoryEntry': 'label' });
  const translated = shown.entries as unknown[];
  return (entries as Array<{ id: string; properties: Read }>).map((entry, index) => [
    entry.id,
    entry.properties.parent ?? null,
    entry,
    translated[index],
  ]);
}

/** Inserts the same documents for the hand-written server, which stores related data in separate tables. */
export async function seedEnrichedRival(
  databaseUrl: string,
  all: readonly Entity[],
  base: string,
): Promise<void> {
  const above = (await readAbove(base)) as unknown as Entity[];
  await seedRival(databaseUrl, [...above, ...all]);
  await execute(databaseUrl, tables);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const person = await read(`${base}/user/Administrator`);
  await client.query('INSERT INTO person VALUES ($1, $2, $3, true)', [
    person.id,
    person,
    await hash('Administrator'),
  ]);
  const { contextParameters } = await read(`${base}/path/`, { 'enrichers.document': 'acls' });
  const [acl] = (contextParameters as { acls: Array<{ aces: unknown[] }> }).acls;
  for (const [at, ace] of (acl?.aces ?? []).entries())
    await client.query('INSERT INTO ace VALUES (1, $1, $2)', [at, ace]);
  for (const directory of ['l10nsubjects', 'nature'])
    for (const values of await readEntries(base, directory))
      await client.query('INSERT INTO entry VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', values);
  await client.end();
  await execute(databaseUrl, 'VACUUM ANALYZE');
}
