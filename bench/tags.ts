import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd, toTheEnd } from './closing.ts';
import { filesInFolders } from './files-in-folders.ts';
import { authorization, startOurs } from './ours.ts';
import { execute, startPostgres } from './postgres.ts';
import { median } from './table.ts';

/**
 * Measures tag suggestions with 200,000 tagged documents and 500 ACLs. One user can read all documents, one only those
 * with a certain ACL, and one none.
 */

const folders = 1_000;
const perFolder = 200;
const acls = 500;
const labels = 1_000;
const rounds = 9;

/**
 * Three users: one can read no documents, one only the documents with a certain ACL, which have the last label, and one
 * all tagged documents.
 */
const readers = ['nobody', 'one', 'many'] as const;

const user = (username: string) => ({
  'entity-type': 'user',
  properties: { username, password: username },
});

const ace = (username: string): string =>
  `jsonb_build_object('username', ${username}, 'permission', 'Read', 'granted', true)`;

/** Inserts files in folders and tags each of them. All documents with the same tag have the same ACL. */
async function seed(databaseUrl: string): Promise<void> {
  await execute(databaseUrl, filesInFolders('/default-domain/workspaces', folders, perFolder));
  await execute(
    databaseUrl,
    `INSERT INTO effective_acl (repository, id, entries)
     SELECT 'default', lpad(to_hex(n), 32, '0')::uuid, jsonb_build_array(
       ${ace(`CASE WHEN n = ${acls - 1} THEN 'one' ELSE 'somebody-' || n END`)}, ${ace("'many'")}
     ) FROM generate_series(0, ${acls - 1}) AS n`,
  );
  await execute(
    databaseUrl,
    `UPDATE document SET acl_id = lpad(to_hex(n * ${acls} / ${labels}), 32, '0')::uuid,
       properties = properties || jsonb_build_object('nxtag:tags', jsonb_build_array(jsonb_build_object('label', 'label-' || lpad(n::text, 4, '0'))))
     FROM (SELECT id AS tagged, row_number() OVER () % ${labels} AS n FROM document WHERE type = 'File') t WHERE id = tagged`,
  );
  await execute(databaseUrl, 'VACUUM ANALYZE');
}

/**
 * Requests suggestions as a user.
 * @returns the number of labels, and the median response time in milliseconds
 */
async function suggest(base: string, who: string, searchTerm: string): Promise<[number, number]> {
  const took: number[] = [];
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    const response = await fetch(`${base}/automation/Tag.Suggestion`, {
      method: 'POST',
      headers: { authorization: who, 'content-type': 'application/json' },
      body: JSON.stringify({ params: { searchTerm } }),
    });
    if (!response.ok) throw new Error(await response.text());
    found = ((await response.json()) as unknown[]).length;
    took.push(performance.now() - start);
  }
  return [found, median(took)];
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const base = `${(await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder })).url}/api/v1`;
  await seed(databaseUrl);
  for (const name of readers) {
    const headers = { authorization, 'content-type': 'application/json' };
    const { ok } = await fetch(`${base}/user`, { method: 'POST', headers, body: JSON.stringify(user(name)) });
    if (!ok) throw new Error(`there is no user ${name}`);
  }
  for (const term of ['', 'label-05']) {
    const [, plain] = await suggest(base, authorization, term);
    console.log(`"${term}": the administrator: ${plain.toFixed(1)} ms`);
    for (const name of readers) {
      const basic = `Basic ${Buffer.from(`${name}:${name}`).toString('base64')}`;
      const [found, milliseconds] = await suggest(base, basic, term);
      const ratio = (milliseconds / plain).toFixed(1);
      console.log(
        `"${term}": ${name}, who receives ${found} labels: ${milliseconds.toFixed(1)} ms, ${ratio} times as long`,
      );
    }
  }
}

await toTheEnd(main);
