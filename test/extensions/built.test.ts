/** @group slow */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { run, serve, useProcessSettings } from '../db/processes.ts';
import { authorization } from '../support/administrator.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const built = fileURLToPath(new URL('../fixtures/extension-1.0/index.js', import.meta.url));

const settings = useProcessSettings({ isStocked: true });
const server = use(() => serve({ ...settings, EXTENSIONS: built }));

const workspaces = '/path/default-domain/workspaces';

async function send(path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: authorization, 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: /^[[{]/.test(text) ? JSON.parse(text) : undefined };
}

const api = (path: string, body?: object, headers?: Record<string, string>) =>
  send(`/api/v1${path}`, body, headers);

const make = async (title: string) =>
  (await api('/ext/built/documents', { title }, { properties: '*' })).body;

const create = (properties: object) =>
  api(
    workspaces,
    { 'entity-type': 'document', type: 'BuiltDocument', name: 'a', properties },
    { properties: '*' },
  );

const found = async (condition: string): Promise<string[]> => {
  const query = encodeURIComponent(`SELECT * FROM BuiltDocument WHERE ${condition}`);
  const { body } = await api(`/search/lang/NXQL/execute?query=${query}`);
  return body.entries.map(({ uid }: { uid: string }) => uid);
};

const things = async (kind: string): Promise<string> => {
  const { ended, printed } = run('src/cli/quire.ts', { ...settings, EXTENSIONS: built }, [
    'built',
    'things',
    kind,
  ]);
  expect((await ended).code).toBe(0);
  return printed.out;
};

describe('An extension that was built against version 1.0 still', () => {
  test('creates documents by an operation, a resource, a sequence and a listener before the write', async () => {
    const first = await make('first');
    expect(first.properties).toMatchObject({ 'built:label': 'B-1', 'built:checked': 'create true true' });
    const { properties } = (
      await api('/automation/Built.Make', { params: { title: 'second' } }, { properties: '*' })
    ).body;
    expect(properties['built:label']).toBe('B-2');
  });

  test('refuses a write, by its own copy of the class Refusal', async () => {
    const { status, body } = await create({ 'built:label': 'bad' });
    expect(status).toBe(422);
    expect(body.violations[0]).toMatchObject({
      message: 'Bad label.',
      path: [{ field_name: 'built:label' }],
    });
  });

  test('adds an enricher and a fetch property', async () => {
    const { uid } = await make('enriched');
    const headers = { 'enrichers.document': 'built', 'fetch.document': 'built:label', properties: 'built' };
    const { body } = await api(`/id/${uid}`, undefined, headers);
    expect(body.contextParameters.built).toEqual({ title: 'ENRICHED' });
    expect(body.properties['built:label']).toMatchObject({ meaning: 'a label' });
  });

  test('adds a page provider, a value and a condition to queries, and receives events', async () => {
    const { uid, properties } = await make('queried');
    const number = String(properties['built:label']).slice(2);
    const listed = await api(`/search/pp/built_documents/execute?number=${number}`);
    expect(listed.body.entries).toEqual([expect.objectContaining({ uid })]);
    expect(await found("built:named = '%/queried'")).toEqual([uid]);
    await until(async () => (await found('built:things = 1')).includes(uid));
  });

  test('converts and reads files, and writes to the audit log', async () => {
    const content = { name: 'a.bin', 'mime-type': 'application/x-built', content: 'fedcba' };
    const { uid } = (await create({ 'file:content': content })).body;
    const { body } = await api(`/ext/built/texts/${uid}`, {});
    expect(body).toEqual({ text: 'abcd', total: 6, application: null });
    const log = (await api(`/id/${uid}/@audit?eventId=builtRead`)).body;
    expect(log.entries).toEqual([expect.objectContaining({ category: 'built', comment: 'read' })]);
  });

  test('serves requests, runs commands and jobs', async () => {
    const { uid } = await make('served');
    await until(async () => (await send('/built')).body.includes(uid));
    expect(await things('request')).toContain('Administrator');
    expect((await send('/.well-known/built/a')).text).toBe('/a');
    await until(async () => (await things('job')).includes('Administrator'));
    const response = await fetch(`${server.url}/built`);
    expect(response.headers.get('www-authenticate')).toContain('scope="path:/built"');
  });
});
