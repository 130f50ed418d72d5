/** @group slow */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import { readConfig } from '../../src/config.ts';
import type { Finding } from '../../src/doctor/check.ts';
import { checkNames, type Diagnosis } from '../../src/doctor/doctor.ts';
import { openDatabase } from '../../src/embedded/open-database.ts';
import { programArguments, useProcessSettings } from '../db/processes.ts';
import { newFolder } from '../support/folder.ts';
import { startMailServer } from '../support/mail-server.ts';
import { unshare } from '../support/small-disk.ts';
import { quire, quireProcess } from './run-quire.ts';

jest.setTimeout(120_000);

const settings = useProcessSettings({ isStocked: true });

/** Runs the checks with these additional settings. Conversion programs differ between machines, so none are looked for. */
async function doctor(
  own: Record<string, string> = {},
  ...checks: string[]
): Promise<{ code: unknown; diagnoses: Diagnosis[]; faults: number }> {
  const { code, out } = await quire(['doctor', ...checks, '--json'], {
    ...settings,
    CONVERTER_FOLDERS: 'none',
    ...own,
  });
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, diagnoses: lines.slice(0, -1), faults: lines.at(-1).faults };
}

const findingsOf = async (check: string, own: Record<string, string> = {}): Promise<readonly Finding[]> => {
  const { diagnoses } = await doctor(own, check);
  const [diagnosis] = diagnoses;
  expect(diagnosis).toMatchObject({ check });
  return diagnosis?.findings ?? [];
};

/** The level and the beginning of the problem of each finding. */
const briefly = (findings: readonly Finding[]): string[] =>
  findings.map(({ level, problem }) => `${level}: ${problem}`);

async function changed<Result>(sql: string, undo: string, work: () => Promise<Result>): Promise<Result> {
  const { database } = await openDatabase(readConfig(settings));
  const run = (text: string) => database.query({ name: '', text }, []);
  try {
    await run(sql);
    return await work();
  } finally {
    await run(undo);
    await database.close();
  }
}

// Tests run on a PostgreSQL that never waits for the disk, which the check of the database reports.
const testFaults = [
  'fault: PostgreSQL runs with fsync = off.',
  'fault: PostgreSQL runs with full_page_writes = off.',
];

test('quire doctor runs every check, prints text or JSON, and ends with 3 only if there are faults', async () => {
  const { code, out, err } = await quireProcess(['doctor'], { ...settings, CONVERTER_FOLDERS: 'none' });
  expect({ code, err }).toEqual({ code: 3, err: '' });
  expect(out).toContain('converters: no findings\n');
  expect(out).toContain(
    'accounts: advice: The password of Administrator is the default one.\n  Everybody who can reach the server can sign in as administrator.\n  To do: Change the password in the console, under Account.\n',
  );
  expect(out).toMatch(/\nFaults: 2, advice: \d+\n$/);
  expect(await doctor({}, 'accounts')).toMatchObject({ code: 0, faults: 0 });
  const all = await doctor();
  expect(all).toMatchObject({ code: 3, faults: 2 });
  expect(briefly(all.diagnoses.find(({ check }) => check === 'database')?.findings ?? [])).toEqual(
    testFaults,
  );
  expect(all.diagnoses.map(({ check }) => check)).toEqual(checkNames);
  expect(all.diagnoses.filter(({ skipped }) => skipped !== undefined)).toEqual([]);
  expect(await quire(['doctor', 'discs'], settings)).toMatchObject({
    code: 2,
    err: expect.stringContaining('The valid checks are settings, model,'),
  });
});

test('every finding says what is wrong, why it matters and what to do, in full sentences', async () => {
  const { diagnoses } = await doctor({
    JWT_SECRET: 'short',
    PUBLIC_URL: 'http://quire.invalid',
    ADMIN_PASSWORD: 'not the default',
    UPLOAD_LIMITS: '1gb',
    EXTENSIONS: './missing.js',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  const findings = diagnoses.flatMap((each) => each.findings);
  expect(findings.length).toBeGreaterThan(9);
  for (const { problem, reason, remedy } of findings)
    for (const text of [problem, reason, remedy]) expect(text).toMatch(/^\S[\s\S]{10,}/);
  for (const { reason, remedy } of findings) for (const text of [reason, remedy]) expect(text).toMatch(/\.$/);
});

test('an invalid setting is a fault, and nothing else is checked', async () => {
  expect(await doctor({ PORT: 'x', BODY_LIMIT: 'y' })).toMatchObject({
    code: 3,
    faults: 2,
    diagnoses: [
      {
        check: 'settings',
        findings: [
          { problem: expect.stringMatching(/^PORT/) },
          { problem: expect.stringMatching(/^BODY_LIMIT/) },
        ],
      },
    ],
  });
});

test('settings: mistyped names, short secrets and an invalid model are found', async () => {
  expect(
    briefly(await findingsOf('settings', { SMTP_URI: 'x', UPLOAD_LIMITS: '1gb', JWT_SECRET: 'short' })),
  ).toEqual([
    'fault: JWT_SECRET is shorter than 32 bytes.',
    'advice: The environment variable SMTP_URI is not a setting.',
    'advice: The environment variable UPLOAD_LIMITS is not a setting.',
  ]);
  const folder = newFolder();
  await writeFile(join(folder, 'a.json'), '{"types": 1}');
  expect(await findingsOf('model', { MODEL_DIR: folder })).toMatchObject([
    {
      level: 'fault',
      problem: expect.stringContaining('a.json'),
      remedy: expect.stringContaining('MODEL_DIR'),
    },
  ]);
  expect(briefly(await findingsOf('search-index', { SEARCH_LANGUAGE: 'klingon' }))).toEqual([
    expect.stringMatching(/^fault: SEARCH_LANGUAGE: "klingon" is not one of/),
  ]);
});

test('a database that does not respond is a fault of the database, and the checks that need it are skipped', async () => {
  const { code, diagnoses } = await doctor({ DATABASE_URL: 'postgres://quire@127.0.0.1:1/quire' });
  expect(code).toBe(3);
  const of = Object.fromEntries(diagnoses.map((each) => [each.check, each]));
  expect(of.database?.findings).toMatchObject([
    {
      level: 'fault',
      problem: expect.stringContaining('127.0.0.1:1'),
      remedy: expect.stringContaining('DATABASE_URL'),
    },
  ]);
  for (const check of ['tables', 'accounts', 'clock', 'search-index', 'jobs', 'backups'])
    expect(of[check]).toEqual({
      check,
      findings: [],
      skipped: 'Not checked, because the database cannot be used.',
    });
  expect(of.disk?.skipped).toBeUndefined();
});

test('the tables of another release, and dangerous settings of PostgreSQL, are faults of the database', async () => {
  await changed(
    `UPDATE _prisma_migrations SET migration_name = 'z' || migration_name WHERE migration_name LIKE '%_ended_identities'`,
    `UPDATE _prisma_migrations SET migration_name = substr(migration_name, 2) WHERE migration_name LIKE 'z%'`,
    async () => {
      const { diagnoses } = await doctor({}, 'tables', 'jobs');
      expect(diagnoses).toMatchObject([
        {
          findings: [
            { problem: expect.stringMatching(/^The database lacks these migrations: \d+_ended_identities/) },
          ],
        },
        { skipped: 'Not checked, because the tables are not up to date.' },
      ]);
    },
  );
  const [{ name } = { name: '' }] = await changed('SELECT 1', 'SELECT 1', async () => {
    const { database } = await openDatabase(readConfig(settings));
    const rows = await database.query<{ name: string }>(
      { name: '', text: 'SELECT current_database() AS name' },
      [],
    );
    await database.close();
    return rows;
  });
  await changed(
    `ALTER DATABASE "${name}" SET synchronous_commit = off`,
    `ALTER DATABASE "${name}" RESET synchronous_commit`,
    async () =>
      expect(briefly(await findingsOf('database'))).toContain(
        'fault: PostgreSQL runs with synchronous_commit = off.',
      ),
  );
  expect(briefly(await findingsOf('database', { DATABASE_CONNECTIONS: '1000' }))).toContainEqual(
    expect.stringMatching(/^fault: PostgreSQL accepts \d+ connections, but this server can need 1008\.$/),
  );
});

test('addresses: a PUBLIC_URL without TLS, of another program or of nobody is found', async () => {
  const own = { ADMIN_PASSWORD: 'not the default', HOST: '0.0.0.0' };
  expect(briefly(await findingsOf('addresses', own))).toEqual([
    'advice: PUBLIC_URL is not set, although others can reach the server.',
  ]);
  const other = createServer((_, response) => response.writeHead(404).end('nobody')).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => other.once('listening', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(briefly(await findingsOf('addresses', { PUBLIC_URL: url }))).toEqual([
      `fault: GET ${url}/health/live returns 404 instead of the state of this server.`,
    ]);
  } finally {
    other.close();
  }
  expect(briefly(await findingsOf('addresses', { ...own, PUBLIC_URL: 'http://quire.invalid' }))).toEqual([
    'fault: PUBLIC_URL begins with http://.',
    expect.stringMatching(/^advice: GET http:\/\/quire\.invalid\/health\/live failed: /),
  ]);
});

test('mail: a server that refuses connections is a fault, and one that responds is not', async () => {
  await using mails = await startMailServer();
  const own = { PUBLIC_URL: 'http://localhost:8080', MAIL_FROM: 'quire@example.org' };
  expect(await findingsOf('mail', { ...own, SMTP_URL: mails.url })).toEqual([]);
  expect(mails.received).toEqual([]);
  expect(briefly(await findingsOf('mail', { ...own, SMTP_URL: 'smtp://127.0.0.1:1' }))).toEqual([
    expect.stringMatching(/^fault: The mail server cannot be used: .*ECONNREFUSED/),
  ]);
});

test('sign-on and extensions: a provider that does not respond, and an extension that is missing, are faults', async () => {
  const folder = newFolder();
  const file = join(folder, 'identity.json');
  const provider = { kind: 'oidc', issuer: 'http://127.0.0.1:1', clientId: 'quire', label: 'Company' };
  await writeFile(file, JSON.stringify({ providers: { company: provider } }));
  const own = { IDENTITY_FILE: file, AUTH_CHAIN: 'basic,oidc' };
  expect(briefly(await findingsOf('sign-on', own))).toEqual([
    expect.stringMatching(/^fault: Company cannot be used: /),
  ]);
  await writeFile(file, '{}');
  expect(briefly(await findingsOf('sign-on', own))).toEqual([
    expect.stringMatching(/^fault: .*identity\.json/),
  ]);
  expect(briefly(await findingsOf('extensions', { EXTENSIONS: './missing.js' }))).toEqual([
    expect.stringMatching(/^fault: EXTENSIONS: \.\/missing\.js cannot be loaded\./),
  ]);
});

test('jobs and index: jobs that were set aside and a late index are found', async () => {
  await changed(
    `INSERT INTO job (kind, state) VALUES ('send-mail', 'set-aside'), ('index-document', 'set-aside')`,
    `DELETE FROM job WHERE state = 'set-aside'`,
    async () => {
      expect(briefly(await findingsOf('jobs'))).toContain(
        'fault: 1 job of the kind send-mail failed repeatedly and was set aside.',
      );
      expect(briefly(await findingsOf('search-index'))).toEqual(['fault: 1 document could not be indexed.']);
    },
  );
});

test('backups: the finding disappears once quire backup has written one', async () => {
  expect(briefly(await findingsOf('backups'))).toEqual([
    'advice: The log contains no backup of the last 90 days, and PostgreSQL does not archive its WAL.',
  ]);
  const folder = newFolder();
  expect(await quire(['backup', join(folder, 'a.quire')], settings)).toMatchObject({ code: 0, err: '' });
  expect(await findingsOf('backups')).toEqual([]);
  const aged = (days: number) =>
    `UPDATE log_entry SET event_date = now() - interval '${days} days' WHERE event_id = 'backupCreated'`;
  await changed(aged(5), aged(0), async () =>
    expect(briefly(await findingsOf('backups'))).toEqual(['advice: The last backup was made 5 days ago.']),
  );
});

(unshare ? test : test.skip)('disk: a nearly full file system of the blobs is a fault', async () => {
  const folder = newFolder();
  const mount = `mount -t tmpfs -o size=8m tmpfs '${folder}' && mkdir '${folder}/blobs' && exec "$0" "$@"`;
  const program = [process.execPath, ...programArguments('src/cli/quire.ts'), 'doctor', 'disk', '--json'];
  const env = { PATH: process.env.PATH, DATA_DIR: folder };
  const failed = await promisify(execFile)('unshare', [...(unshare ?? []), 'sh', '-c', mount, ...program], {
    env,
  }).then(
    () => undefined,
    (error: { code: number; stdout: string }) => error,
  );
  expect(failed?.code).toBe(3);
  const [line = ''] = failed?.stdout.split('\n') ?? [];
  expect(JSON.parse(line).findings[0]).toEqual({
    level: 'fault',
    problem: expect.stringMatching(/^The file system of .* has only \d\.\d MB free\.$/),
    reason: 'If it is full, files cannot be uploaded, and the embedded database stops.',
    remedy: 'Delete other files, or enlarge the file system.',
  });
});

test('clock: a provider whose clock differs by more than its tokens tolerate is a fault', async () => {
  let lead = 0;
  const issuer = createServer((_, response) => {
    response.setHeader('Date', new Date(Date.now() + lead).toUTCString());
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => issuer.once('listening', resolve));
  const file = join(newFolder(), 'identity.json');
  const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  const provider = { kind: 'oidc', issuer: url, clientId: 'quire', label: 'Company' };
  await writeFile(file, JSON.stringify({ providers: { company: provider } }));
  const own = { IDENTITY_FILE: file, AUTH_CHAIN: 'basic,oidc' };
  try {
    expect(await findingsOf('clock', own)).toEqual([]);
    lead = 3_600_000;
    expect(briefly(await findingsOf('clock', own))).toEqual([
      expect.stringMatching(
        /^fault: The clock of Company is 3\d{3}\.\d seconds ahead of that of this machine\.$/,
      ),
    ]);
  } finally {
    issuer.close();
  }
});
