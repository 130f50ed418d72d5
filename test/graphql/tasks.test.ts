import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { enqueueJobs } from '../../src/store/queue/enqueue-jobs.ts';
import { grant, setAcl } from '../support/acls.ts';
import { bulkEnded } from '../support/bulk.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { askGraphql, call } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';
import { useEventStreams } from './event-stream.ts';

const text = readFileSync(new URL('../../examples/graphql/tasks.md', import.meta.url), 'utf8');

interface Step {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** The operations of each task of the document, by their names, with the variables below them. */
const tasks = text
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const blocks = [...section.matchAll(/^```(graphql|json)\n(.*?)^```$/gms)].map(
      ([, kind, content = '']) => ({ kind, content }),
    );
    return blocks.flatMap(({ kind, content }, index): Array<[string, Step]> => {
      if (kind !== 'graphql') return [];
      const next = blocks[index + 1];
      const variables = next?.kind === 'json' ? JSON.parse(next.content) : {};
      return [[/^\w+ (\w+)/.exec(content)?.[1] ?? '', { query: content, variables }]];
    });
  });
const steps = new Map(tasks.flat());

const server = useServer();
const watch = useEventStreams(server);
let plans: DocumentEntity;
let plan: DocumentEntity;
const done = new Set<string>();

/** Runs an operation of the document; what it cannot know is given. */
async function run<Data>(name: string, given: object = {}): Promise<Data> {
  const step = steps.get(name);
  if (!step) throw new Error(`docs/graphql.md has no operation ${name}`);
  done.add(name);
  return askGraphql(server.request, step.query, { ...step.variables, ...given });
}

interface Found<Entry = { uid: string; path: string }> {
  search: { resultsCount: number; nextCursor: string | null; entries: Entry[] };
}

beforeAll(async () => {
  await createUser(server, 'ann', ['members']);
  await createUser(server, 'bob');
  plans = await createDocument(server, { type: 'Folder', name: 'plans' });
  plan = await createDocument(server, {
    parent: plans.path,
    name: 'plan',
    properties: { 'dc:title': 'The budget', 'dc:creator': 'ann' },
  });
  await setAcl(server, plans.path, [grant('ann', 'ReadWrite')]);
});

describe('docs/graphql.md', () => {
  test('has ten tasks', () => expect(tasks).toHaveLength(10));

  test('1. who can see a document, and why', async () => {
    const { document } = await run<{ document: Record<'acls' | 'decidedPermissions', unknown[]> }>('WhoMay');
    expect(document.acls).toContainEqual({
      name: 'local',
      aces: [expect.objectContaining({ username: 'ann', permission: 'ReadWrite', status: 'effective' })],
    });
    expect(document.decidedPermissions).toContainEqual(
      expect.objectContaining({
        permission: 'Read',
        granted: true,
        reason: 'ace',
        place: { path: plans.path },
      }),
    );
  });

  test('2. the documents of a user are handed to another', async () => {
    const { search } = await run<Found>('Made');
    expect(search).toMatchObject({ resultsCount: 1, entries: [{ path: plan.path }] });
    const { runBulkAction: begun } = await run<{ runBulkAction: { commandId: string } }>('HandOver');
    await bulkEnded(server.request, begun.commandId);
    const { bulkCommand } = await run<{ bulkCommand: object }>('HowFar', { id: begun.commandId });
    expect(bulkCommand).toMatchObject({ state: 'COMPLETED', processed: 1, errorCount: 0, failures: [] });
    expect((await run<Found>('Made')).search.resultsCount).toBe(0);
    expect((await run<Found>('Made', { by: { user: 'bob' } })).search.resultsCount).toBe(1);
  });

  test('3. what a search finds is tagged', async () => {
    const { search } = await run<Found>('Found');
    const ids = search.entries.map(({ uid }) => uid);
    expect([ids, search.nextCursor]).toEqual([[plan.uid], null]);
    await run('Tag', { ids });
    const { body } = await server.request.get(`/api/v1/id/${plan.uid}`).set('enrichers.document', 'tags');
    expect(body.contextParameters.tags).toEqual(['budget']);
  });

  test('4. failed jobs run again', async () => {
    const { job } = server.database.prisma;
    await enqueueJobs({ db: server.database }, [{ kind: 'test', key: 'a' }]);
    await job.updateMany({
      where: { kind: 'test' },
      data: { state: 'set-aside', error: 'it failed', attempts: 3 },
    });
    const { jobs } = await run<{ jobs: { entries: Array<{ id: string }> } }>('Failed');
    expect(jobs.entries).toEqual([
      expect.objectContaining({ kind: 'test', error: 'it failed', attempts: 3 }),
    ]);
    await run('Again', { id: jobs.entries[0]?.id });
    expect(await job.findFirst({ where: { kind: 'test' } })).toMatchObject({ state: 'waiting', attempts: 0 });
    await job.deleteMany({ where: { kind: 'test' } });
  });

  test('5. locks that are old are released', async () => {
    await call(server.request, 'Document.Lock', { input: plan.uid }).expect(200);
    const { search } = await run<Found>('Locked');
    expect(search.entries).toMatchObject([{ path: plan.path, lockOwner: 'Administrator' }]);
    const { documentUnlock } = await run<Record<string, object>>('Unlock', { id: plan.uid });
    expect(documentUnlock).toEqual({ document: { path: plan.path, lockOwner: null } });
  });

  test('6. what is in the trash is restored', async () => {
    await call(server.request, 'Document.Trash', { input: plan.uid }).expect(200);
    const { search } = await run<Found>('Trash');
    expect(search.entries).toMatchObject([{ uid: plan.uid }]);
    const { documentUntrash } = await run<Record<string, object>>('Restore', { id: plan.uid });
    expect(documentUntrash).toEqual({ document: { path: plan.path, isTrashed: false } });
  });

  test('7. old versions are deleted', async () => {
    for (const increment of ['Minor', 'Major'])
      await call(server.request, 'Document.CreateVersion', { input: plan.uid, params: { increment } }).expect(
        200,
      );
    const { search } = await run<Found<{ uid: string }>>('OldVersions');
    expect(search.entries).toMatchObject([{ versionLabel: '0.1' }]);
    const ids = search.entries.map(({ uid }) => uid);
    expect(await run('DeleteVersions', { ids })).toEqual({ deleteDocuments: ids });
    expect((await run<Found>('OldVersions')).search.entries).toEqual([]);
  });

  test('8. members of a group are listed and changed', async () => {
    const members = async () =>
      (
        await run<{ group: { users: { entries: Array<{ id: string }> } } }>('Members')
      ).group.users.entries.map(({ id }) => id);
    expect(await members()).toContain('ann');
    await run('Change');
    expect(await members()).toContain('bob');
    expect(await members()).not.toContain('ann');
  });

  test('9. an entry of a vocabulary is renamed', async () => {
    expect(await run('Rename')).toMatchObject({
      updateDirectoryEntry: { id: 'article', properties: { label: 'Article or essay' } },
    });
  });

  test('10. what happens is watched', async () => {
    const { query, variables } = steps.get('Watch') ?? {};
    done.add('Watch');
    const stream = await watch<{ documentEvents: object[] }>(query ?? '', variables);
    await createDocument(server, { parent: plans.path, name: 'watched' });
    const events: object[] = [];
    // The first answers may have what was committed just before.
    while (!JSON.stringify(events).includes(`${plans.path}/watched`))
      events.push(...((await stream.next())?.data?.documentEvents ?? []));
    expect(events).toContainEqual({
      entry: expect.objectContaining({ eventId: 'documentCreated', docPath: `${plans.path}/watched` }),
      document: { uid: expect.any(String), title: 'watched' },
    });
    const { logEntries } = await run<{ logEntries: { entries: object[] } }>('Since');
    expect(logEntries.entries).toContainEqual(
      expect.objectContaining({ eventId: 'documentUntrashed', docPath: plan.path }),
    );
  });

  test('has no operation that is not run', () =>
    expect([...steps.keys()].filter((name) => !done.has(name))).toEqual([]));
});
