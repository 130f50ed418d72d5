/** @group slow, long */
import { expect, jest, test } from '@jest/globals';
import { isOlderBuild, oldestBuildOf, readMigrations } from '../../src/db/migration-files.ts';
import { newFolder } from '../support/folder.ts';
import { buildCommit, git } from '../support/old-build.ts';
import { linesOf } from '../support/small-disk.ts';
import { ask, processSettings, type RunningServer, serve } from './processes.ts';

jest.setTimeout(240_000);

const migrations = await readMigrations();

/** The commit before the newest migration; undefined if the history lacks it or its build is too old. */
function commitBefore(): string | undefined {
  try {
    const newest = git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'prisma/migrations');
    const before = git('rev-parse', '--verify', `${newest}^`);
    const { version } = JSON.parse(git('show', `${before}:package.json`));
    return migrations.some((migration) => isOlderBuild(version, oldestBuildOf(migration) ?? version))
      ? undefined
      : before;
  } catch {
    return undefined; // no repository, or a shallow one
  }
}

function build(commit: string): string {
  const folder = newFolder();
  buildCommit(commit, folder);
  return folder;
}

/** The warnings and errors in a log, which tell of failures that no answer shows, such as those of jobs. */
const faultsOf = (node: RunningServer): unknown[] =>
  linesOf(node).filter(({ level, err }) => level >= 40 || err !== undefined);

const commit = commitBefore();
const title = 'The build before the newest migration works on the migrated database, beside this one';

(commit ? test : test.skip)(commit ? title : `SKIPPED, since there is no such build: ${title}`, async () => {
  await using shared = await processSettings({ isStocked: true });
  await using now = await serve(shared.settings);
  await using before = await serve(shared.settings, build(commit ?? ''));
  const nodes = [now.url, before.url] as const;
  for (const [turn, writer] of nodes.entries()) {
    const reader = nodes[1 - turn] ?? '';
    const send = async (method: string, path: string, body: object, status: number) => {
      const answer = await ask(writer, `/api/v1${path}`, { method, body: JSON.stringify(body) });
      expect([method, path, answer.status]).toEqual([method, path, status]);
    };
    const name = `of-${turn}`;
    const file = {
      content: `the words of ${name}`,
      encoding: 'utf-8',
      'mime-type': 'text/plain',
      name: 'a.txt',
    };
    const document = (type: string, properties: object, more = {}) => ({
      'entity-type': 'document',
      type,
      name,
      properties,
      ...more,
    });
    await send('POST', '/path/', document('Folder', { 'dc:title': name }), 201);
    await send(
      'POST',
      `/path/${name}`,
      document('File', { 'dc:title': `file ${name}`, 'file:content': file }),
      201,
    );
    await send('PUT', `/path/${name}/${name}`, document('File', { 'dc:description': 'changed' }), 200);
    const input = `/${name}/${name}`;
    for (const [operation, params] of Object.entries({
      'Document.AddPermission': { users: ['members'], permission: 'ReadWrite' },
      'Document.CreateVersion': { increment: 'Major' },
      'Services.TagDocument': { tags: 'a tag' },
      'Document.Copy': { target: `/${name}`, name: 'copy' },
      'Document.Move': { target: '/default-domain' },
    }))
      await send('POST', `/automation/${operation}`, { input, params }, 200);
    await send(
      'POST',
      '/user',
      { 'entity-type': 'user', id: name, properties: { username: name, password: 'Secret-1' } },
      201,
    );
    const read = async (path: string) => (await ask(reader, `/api/v1${path}`)).json();
    expect(await read(`/path/default-domain/${name}`)).toMatchObject({
      properties: { 'dc:description': 'changed' },
    });
    expect(await read(`/path/${name}/@children`)).toMatchObject({ resultsCount: 1 });
    const query = encodeURIComponent(
      `SELECT * FROM File WHERE dc:title = 'file ${name}' AND ecm:isVersion = 0`,
    );
    expect(await read(`/search/lang/NXQL/execute?query=${query}`)).toMatchObject({ resultsCount: 2 });
    expect(await read(`/user/${name}`)).toMatchObject({ id: name });
    expect((await ask(writer, `/api/v1/path/${name}`, { method: 'DELETE' })).status).toBe(204);
  }
  for (const node of [before, now]) {
    node.child.kill('SIGTERM');
    expect(await node.ended).toEqual({ code: 0, signal: null });
    expect([node.url, faultsOf(node)]).toEqual([node.url, []]);
  }
});
