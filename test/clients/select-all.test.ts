import { describe, expect, test } from '@jest/globals';
import type { Component } from './browser-page.ts';
import { useComponents } from './components.ts';

const opened = useComponents();

const add = (name: string, properties: Readonly<Record<string, unknown>>) =>
  opened.page.add(name, properties);

interface Status {
  readonly state: string;
  readonly commandId: string;
  readonly errorCount: number;
}

let folders = 0;

const make = (parent: string, type: string, name: string): Promise<{ uid: string; path: string }> => {
  const data = { 'entity-type': 'document', type, name, properties: { 'dc:title': name } };
  return add('resource', { path: `/path${parent}`, data }).post();
};

async function folderOf(count: number): Promise<{ uid: string; path: string }> {
  folders += 1;
  const folder = await make('/default-domain/workspaces', 'Folder', `all-${folders}`);
  for (let made = 0; made < count; made += 1) await make(folder.path, 'Note', `n${made}`);
  return folder;
}

/** What a table with all its rows selected is to an operation. */
const allOf = (provider: Component): object => ({
  nxProvider: provider,
  selectedItems: [],
  selectAllEnabled: true,
  selectAllActive: true,
});

const childrenOf = ({ uid }: { uid: string }): Component =>
  add('page-provider', {
    provider: 'advanced_document_content',
    params: { ecm_parentId: uid },
    pageSize: 2,
    sort: { 'dc:title': 'asc' },
  });

async function titlesIn(folder: { uid: string }): Promise<string[]> {
  const provider = childrenOf(folder);
  provider.pageSize = 100;
  const { entries }: { entries: Array<{ title: string }> } = await provider.fetch();
  return entries.map(({ title }) => title);
}

const rename = { op: 'Document.SetProperty', params: { xpath: 'dc:title', value: 'All' }, pollInterval: 20 };

describe('§4.7 nuxeo-operation on all that is found', () => {
  test('runs on the documents of every page, and ends with the status', async () => {
    const folder = await folderOf(3);
    const provider = childrenOf(folder);
    await provider.fetch();
    const operation = add('operation', { ...rename, input: allOf(provider) });
    const begun: unknown[] = [];
    operation.addEventListener('poll-start', (event) => begun.push((event as CustomEvent).detail));
    const status: Status = await operation.execute();
    expect(status).toMatchObject({
      'entity-type': 'bulkStatus',
      state: 'COMPLETED',
      processed: 3,
      error: false,
    });
    expect(begun).toEqual([expect.objectContaining({ commandId: status.commandId })]);
    expect(await titlesIn(folder)).toEqual(['All', 'All', 'All']);
  });

  test('runs on what a query finds', async () => {
    const folder = await folderOf(2);
    const query = `SELECT * FROM Note WHERE ecm:parentId = '${folder.uid}'`;
    const input = allOf(add('page-provider', { query }));
    const status: Status = await add('operation', {
      op: 'Document.Trash',
      input,
      pollInterval: 20,
    }).execute();
    expect(status).toMatchObject({ state: 'COMPLETED', processed: 2 });
  });

  test('fails with the status when a document fails', async () => {
    const folder = await folderOf(1);
    const input = allOf(childrenOf(folder));
    const odd = {
      op: 'Document.SetProperty',
      params: { xpath: 'dc:nature', value: 'odd' },
      pollInterval: 20,
    };
    const operation = add('operation', { ...odd, input });
    await expect(operation.execute()).rejects.toMatchObject({ state: 'COMPLETED', errorCount: 1 });
    expect(operation.success).toBe(false);
  });

  test('is refused at once where no document could be worked on', async () => {
    const input = allOf(childrenOf(await folderOf(1)));
    for (const op of ['Absent.Operation', 'Log', 'Document.GetBlob'])
      await expect(add('operation', { op, params: {}, input }).execute()).rejects.toMatchObject({
        response: { status: 400 },
      });
  });

  test('is aborted', async () => {
    const id = '77777777-7777-4777-8777-777777777777';
    await opened.server.database.prisma.bulkCommand.create({
      data: {
        id,
        repository: 'default',
        username: 'Administrator',
        action: 'automationUi',
        parameters: {},
        query: {},
        state: 'RUNNING',
      },
    });
    const operation = add('operation', rename);
    const aborted: unknown[] = [];
    operation.addEventListener('poll-aborted', (event) => aborted.push((event as CustomEvent).detail));
    const abort = operation._abort as (command: string) => Promise<Status>;
    expect(await abort.call(operation, id)).toMatchObject({ state: 'ABORTED' });
    expect(aborted).toEqual([expect.objectContaining({ commandId: id, state: 'ABORTED' })]);
  });
});

describe('§4.7 nuxeo-operation runs Bulk.RunAction in the background', () => {
  const inFolder = ({ uid }: { uid: string }) => `SELECT * FROM Note WHERE ecm:parentId = '${uid}'`;
  const bulk = (params: object) =>
    add('operation', { op: 'Bulk.RunAction', params, async: true, pollInterval: 20 });

  test('until the action has ended', async () => {
    const folder = await folderOf(2);
    const parameters = JSON.stringify({ 'dc:title': 'Later' });
    const status: Status = await bulk({
      action: 'setProperties',
      query: inFolder(folder),
      parameters,
    }).execute();
    expect(status).toMatchObject({ state: 'COMPLETED', processed: 2 });
    expect(await titlesIn(folder)).toEqual(['Later', 'Later']);
  });

  test('and receives the file of an export', async () => {
    const folder = await folderOf(1);
    const parameters = JSON.stringify({ schemas: ['dublincore'] });
    const answer: Response = await bulk({
      action: 'csvExport',
      query: inFolder(folder),
      parameters,
    }).execute();
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=.*\.csv$/);
    expect(await answer.text()).toContain(`${folder.path}/n0`);
  });
});
