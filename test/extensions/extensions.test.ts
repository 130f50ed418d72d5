/** @group slow */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { printing, processSettings, run, serve, useProcessSettings } from '../db/processes.ts';
import { authorization } from '../support/administrator.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const invoices = join(root, 'examples/invoices/index.js');
const faulty = join(root, 'test/extensions/faulty.js');

const settings = useProcessSettings({ isStocked: true });
const server = use(() => serve({ ...settings, EXTENSIONS: `${invoices},${faulty}` }));

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly as?: string;
}

async function api(path: string, { method, body, headers, as = authorization }: Asked = {}) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { Authorization: as, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const workspaces = '/path/default-domain/workspaces';

const create = (type: string, properties: object, asked: Asked = {}) =>
  api(workspaces, {
    body: { 'entity-type': 'document', type, name: 'made', properties },
    headers: { properties: '*' },
    ...asked,
  });

const invoice = (properties: object = {}, asked?: Asked) =>
  create(
    'SalesInvoice',
    { 'dc:title': 'Invoice', 'si:customer': 'Acme', 'si:net': 100, ...properties },
    asked,
  );

/** Creates a user who can write in the workspaces. */
async function user(id: string, groups: readonly string[] = []): Promise<string> {
  const properties = { firstName: 'Ms', lastName: id, username: id, password: `${id} secret`, groups };
  await api('/user', { body: { 'entity-type': 'user', id, properties } });
  const granted = await api(`${workspaces}/@op/Document.AddPermission`, {
    body: { params: { username: id, permission: 'ReadWrite' } },
  });
  expect(granted.status).toBe(200);
  return basic(id, `${id} secret`);
}

describe('The example for invoices', () => {
  test('numbers invoices without gaps while several are created', async () => {
    const year = new Date().getFullYear();
    const first = await invoice();
    expect(first.body.properties).toMatchObject({ 'si:number': `R-${year}-00001`, 'si:gross': 120 });
    expect((await invoice({ 'si:net': -1 })).status).toBe(422);
    const all = await Promise.all(Array.from({ length: 8 }, () => invoice()));
    const numbers = all.map(({ body }) => body.properties['si:number']).sort();
    expect(numbers).toEqual([2, 3, 4, 5, 6, 7, 8, 9].map((number) => `R-${year}-0000${number}`));
  });

  test('takes a number again when the transaction of its creation is rolled back', async () => {
    const numberOf = async () => Number((await invoice()).body.properties['si:number'].slice(-5));
    const before = await numberOf();
    const tried = await invoice({}, { headers: { Prefer: 'explain' } }); // runs the write, and rolls it back
    expect(tried.body).toMatchObject({ 'entity-type': 'explain' });
    expect(await numberOf()).toBe(before + 1);
  });

  test('refuses a wrong VAT id with a validation report (§8)', async () => {
    const { status, body } = await invoice({ 'si:vatId': 'DE12' });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      'entity-type': 'validation_report',
      violations: [{ message: 'DE12 is not a VAT id.', path: [{ field_name: 'si:vatId' }] }],
    });
  });

  test('computes the total again when an invoice changes, and keeps its number', async () => {
    const { uid } = (await invoice()).body;
    const change = (properties: object) =>
      api(`/id/${uid}`, {
        method: 'PUT',
        body: { 'entity-type': 'document', properties },
        headers: { properties: 'salesinvoice' },
      });
    expect((await change({ 'si:net': 50 })).body.properties['si:gross']).toBe(60);
    expect(await change({ 'si:number': 'other' })).toMatchObject({
      status: 409,
      body: { message: 'The number of an invoice cannot change.' },
    });
  });

  test('lets a second person approve, and nobody change an approved invoice (§4.7)', async () => {
    const ann = await user('ann', ['members']);
    const bob = await user('bob', ['members']);
    const { uid, path } = (await invoice({}, { as: ann })).body;
    const approve = (as: string) => api(`/id/${uid}/@op/Invoices.Approve`, { body: {}, as });
    expect(await approve(ann)).toMatchObject({
      status: 403,
      body: { message: 'The creator of an invoice cannot approve it.' },
    });
    expect(await approve(bob)).toMatchObject({ status: 200, body: { 'entity-type': 'document', uid } });
    const read = await api(`/path${path}`, { headers: { 'enrichers.document': 'invoice' } });
    expect(read.body.contextParameters.invoice).toEqual({ isApproved: true, isOverdue: false, paid: 0 });
    const fetched = { 'fetch.document': 'si:approvedBy', properties: 'salesinvoice' };
    expect((await api(`/id/${uid}`, { headers: fetched })).body.properties['si:approvedBy']).toBe('Ms bob');
    const change = { 'entity-type': 'document', properties: { 'si:net': 1 } };
    expect((await api(`/id/${uid}`, { method: 'PUT', body: change })).status).toBe(409);
  });

  test('lists the invoices of a year at its own address (§4)', async () => {
    const year = new Date().getFullYear();
    const at = (path: string, asked?: Asked) => api(`/ext/invoices${path}`, asked);
    const { uid } = (await invoice()).body;
    const all = await at(`/years/${year}`);
    expect(all).toMatchObject({ status: 200, body: { year, count: expect.any(Number) } });
    const carl = await user('carl', ['members']);
    expect((await at(`/approvals/${uid}`, { method: 'POST', as: carl })).body.uid).toBe(uid);
    const idsOf = async (query: string) =>
      (await at(`/years/${year}?${query}`)).body.entries.map((entry: { uid: string }) => entry.uid);
    expect(await idsOf('approved=true')).toContain(uid);
    expect(await idsOf('approved=false')).not.toContain(uid);
    expect((await at('/years/1999')).body).toEqual({ year: 1999, count: 0, entries: [] });
  });

  test('lists the invoices that the caller can approve by a page provider (§4.7)', async () => {
    const gina = await user('gina', ['members']);
    const customer = `Customer ${Date.now()}`;
    const own = (await invoice({ 'si:customer': customer }, { as: gina })).body.uid;
    const other = (await invoice({ 'si:customer': customer, 'si:net': 1_000 })).body.uid;
    const selected = `customer_agg=${encodeURIComponent(JSON.stringify([customer]))}`;
    const list = async (query: string, as?: string) =>
      api(`/search/pp/invoices_to_approve/execute?${selected}${query}`, as === undefined ? {} : { as });
    const idsOf = ({ body }: { body: { entries: Array<{ uid: string }> } }) =>
      body.entries.map(({ uid }) => uid);
    const found = await list('', gina);
    expect(idsOf(found)).toEqual([other]);
    expect(found.body.aggregations.customer_agg.selection).toEqual([customer]);
    expect(idsOf(await list('&min=5000', gina))).toEqual([]);
    expect(idsOf(await list('&min=500', gina))).toEqual([other]);
    expect((await list('&min=much', gina)).status).toBe(400);
    expect(idsOf(await list(''))).toEqual([own]);
    await api('/user', {
      body: { 'entity-type': 'user', id: 'hal', properties: { username: 'hal', password: 'hal secret' } },
    });
    expect(await list('', basic('hal', 'hal secret'))).toMatchObject({
      status: 403,
      body: { message: 'Only members of members approve invoices.' },
    });
    const names = (await api('/search/pp')).body.entries.map(({ name }: { name: string }) => name);
    expect(names).toContain('invoices_to_approve');
  });

  test('answers wrong requests at its addresses like the server does (§8)', async () => {
    const messageOf = async (path: string, asked?: Asked) => {
      const { status, body } = await api(`/ext/invoices${path}`, asked);
      return `${status} ${body.message}`;
    };
    expect(await messageOf('/years/soon')).toMatch(/^400 .*year must be an integer/);
    expect(await messageOf('/years/2026?approved=maybe')).toMatch(/^400 .*approved must be true or false/);
    expect(await messageOf('/years/2026', { method: 'DELETE' })).toMatch(/^405 /);
    expect(await messageOf('/decades/2020')).toMatch(/^404 /);
    const unknown = '/approvals/00000000-0000-4000-8000-000000000000';
    expect(await messageOf(unknown, { method: 'POST' })).toMatch(/^404 /);
    expect(await messageOf('/years/2026', { as: basic('nobody', 'x') })).toMatch(/^401 /);
  });

  test('tags new invoices after their creation', async () => {
    const { uid } = (await invoice()).body;
    const tags = async () =>
      (await api(`/id/${uid}`, { headers: { 'enrichers.document': 'tags' } })).body.contextParameters.tags;
    await until(async () => (await tags()).length > 0);
    expect(await tags()).toEqual(['invoice']);
  });
});

describe('The interface', () => {
  test('describes contributed operations and enrichers', async () => {
    const { body } = await api('/openapi.json');
    expect(Object.keys(body.paths)).toContain('/automation/Invoices.Approve');
    const { parameters, tags } = body.paths['/ext/invoices/years/{year}'].get;
    expect(tags).toEqual(['Extensions']);
    expect(parameters).toContainEqual({
      name: 'year',
      in: 'path',
      required: true,
      description: 'The year of the invoice numbers.',
      schema: { type: 'string' },
    });
    expect(parameters).toContainEqual(
      expect.objectContaining({ name: 'approved', in: 'query', schema: { type: 'boolean' } }),
    );
    const operations = await api('/automation/');
    const ids = operations.body.operations.map(({ id }: { id: string }) => id);
    expect(ids).toContain('Invoices.Approve');
  });

  test('shows listeners among the webhooks', async () => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ webhooks { entries { url enabled events } } }' }),
    });
    expect((await response.json()).data.webhooks.entries).toEqual([
      { url: 'extension:invoices/tag-new-invoices', enabled: true, events: ['documentCreated'] },
    ]);
  });
});

describe('A table of an extension', () => {
  const pay = (id: string, amount: unknown, as?: string) =>
    api(`/ext/invoices/payments/${id}`, { body: { amount }, ...(as && { as }) });

  test('is written in the transaction of the call, and read for a whole page', async () => {
    const { uid } = (await invoice({ 'si:net': 100 })).body;
    expect((await pay(uid, 70)).body).toEqual({ paid: 70, open: 50 });
    expect((await pay(uid, 50)).body).toEqual({ paid: 120, open: 0 });
    expect(await pay(uid, 1)).toMatchObject({ status: 409, body: { message: 'The invoice is paid.' } });
    expect((await pay(uid, 'much')).status).toBe(400);
    const read = await api(`/id/${uid}`, { headers: { 'enrichers.document': 'invoice' } });
    expect(read.body.contextParameters.invoice).toMatchObject({ paid: 120 });
  });

  test('gives queries a value to compare and sort by (§6.2)', async () => {
    const { uid } = (await invoice({ 'si:net': 500 })).body;
    await pay(uid, 333);
    const found = async (condition: string) => {
      const query = encodeURIComponent(
        `SELECT * FROM SalesInvoice WHERE ${condition} ORDER BY invoices:paid DESC`,
      );
      const { status, body } = await api(`/search/lang/NXQL/execute?query=${query}`);
      expect(status).toBe(200);
      return body.entries.map((entry: { uid: string }) => entry.uid);
    };
    expect((await found('invoices:paid > 100'))[0]).toBe(uid);
    expect(await found('invoices:paid = 333')).toEqual([uid]);
    expect(await found('invoices:paid < 0')).toEqual([]);
  });

  test('gives queries a condition with a value (§6.2)', async () => {
    const { uid } = (await invoice()).body;
    await pay(uid, 7);
    const found = async (condition: string) => {
      const query = encodeURIComponent(
        `SELECT * FROM SalesInvoice WHERE ecm:uuid = '${uid}' AND ${condition}`,
      );
      const { status, body } = await api(`/search/lang/NXQL/execute?query=${query}`);
      return `${status} ${body.resultsCount ?? body.message}`;
    };
    expect(await found("invoices:paidAfter = DATE '2020-01-01'")).toBe('200 1');
    expect(await found("invoices:paidAfter = '2999-01-01'")).toBe('200 0');
    expect(await found("invoices:paidAfter IN ('2999-01-01', '2020-01-01')")).toBe('200 1');
    expect(await found("NOT invoices:paidAfter = '2999-01-01'")).toBe('200 1');
    expect(await found("invoices:paidAfter <> '2020-01-01'")).toBe('200 0');
    expect(await found("invoices:paidAfter = 'soon'")).toMatch(/^400 .*invoices:paidAfter/);
    expect(await found("invoices:paidAfter > '2020-01-01'")).toMatch(
      /^400 .*invoices:paidAfter cannot be compared/,
    );
    expect(await found('invoices:paidBefore = 1')).toMatch(/^400 /);
  });

  test('costs one statement for any number of documents, which is reported under its name (§9)', async () => {
    const statementsFor = async (pageSize: number) => {
      const response = await fetch(`${server.url}/api/v1${workspaces}/@children?pageSize=${pageSize}`, {
        headers: { Authorization: authorization, 'enrichers.document': 'invoice' },
      });
      return /sql-invoices;dur=[\d.]+;desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '')?.[1];
    };
    expect([await statementsFor(1), await statementsFor(20)]).toEqual(['1', '1']);
    const { uid } = (await invoice()).body;
    const explained = await api(`/id/${uid}`, {
      headers: { Prefer: 'explain', 'enrichers.document': 'invoice' },
    });
    expect(explained.body.statements).toContainEqual(
      expect.objectContaining({
        extension: 'invoices',
        sql: expect.stringContaining('ext_invoices_payment'),
      }),
    );
  });

  test('is part of backups, which need the extension', async () => {
    const folder = newFolder();
    const { uid } = (await invoice()).body;
    await pay(uid, 5);
    const all = { ...settings, EXTENSIONS: invoices };
    const backup = (file: string, env: Record<string, string>) =>
      run('src/cli/quire.ts', env, ['backup', join(folder, file)]);
    const without = backup('without.tar', settings);
    expect((await without.ended).code).toBe(1);
    expect(without.printed.err).toMatch(
      /tables of an extension that is not loaded.*ext_invoices_0001_payments/,
    );
    expect((await backup('a.tar', all).ended).code).toBe(0);
    await using restored = await processSettings();
    const into = { ...restored.settings, EXTENSIONS: invoices };
    const restoring = run('src/cli/quire.ts', into, ['restore', join(folder, 'a.tar')]);
    expect((await restoring.ended).code).toBe(0);
    await using second = await serve(into);
    const response = await fetch(`${second.url}/api/v1/id/${uid}`, {
      headers: { Authorization: authorization, 'enrichers.document': 'invoice' },
    });
    expect((await response.json()).contextParameters.invoice).toMatchObject({ paid: 5 });
  });
});

describe('A converter of an extension', () => {
  const file = (content: string) =>
    create('File', {
      'dc:title': content,
      'file:content': { name: 'a.bin', 'mime-type': 'application/x-backwards', content },
    });
  const idsWith = async (word: string) => {
    const query = encodeURIComponent(`SELECT * FROM File WHERE ecm:fulltext = '${word}'`);
    const { body } = await api(`/search/lang/NXQL/execute?query=${query}`);
    return body.entries.map(({ uid }: { uid: string }) => uid);
  };

  test('makes files found by their words, without the settings of the server', async () => {
    const { uid } = (await file('xuvqonk')).body;
    await until(async () => (await idsWith('knoqvux')).includes(uid));
    expect(await idsWith('0settings')).toContain(uid);
  });

  test('that hangs or throws delays no other file', async () => {
    await file('hang');
    await file('bad file');
    const { uid } = (await file('mplvz')).body;
    await until(async () => (await idsWith('zvlpm')).includes(uid));
    expect((await api(workspaces)).status).toBe(200);
  });
});

describe('A handler of an extension', () => {
  const at = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.url}${path}`, init);
    return { status: response.status, text: await response.text() };
  };
  const headers = { Authorization: authorization };

  test('acts as the user who has sent the request', async () => {
    const made = await at('/mirror/', { method: 'POST', headers });
    expect(made).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^\/default-domain\/workspaces\/mirror/),
    });
    expect((await api(`/path${made.text}`)).status).toBe(200);
    const frank = await user('frank', ['members']);
    await api(`${workspaces}/@op/Document.RemovePermission`, { body: { params: { user: 'frank' } } });
    expect((await at('/mirror/', { method: 'POST', headers: { Authorization: frank } })).status).toBe(403);
  });

  test('gets no request without valid credentials, unless it serves everyone (§5)', async () => {
    expect((await at('/mirror/')).status).toBe(401);
    expect((await at('/.well-known/mirror/a?b=c')).text).toBe('GET /a?b=c null');
  });

  test('answers errors like REST does (§8)', async () => {
    expect(await at('/mirror/refuse', { headers })).toMatchObject({
      status: 403,
      text: expect.stringContaining('Not today.'),
    });
    const thrown = await at('/mirror/throw', { headers });
    expect(thrown.status).toBe(500);
    expect(thrown.text).not.toContain('secret detail');
    expect((await at('/mirror/', { headers })).status).toBe(500); // a mutation in a function that only reads
  });
});

describe('A command of an extension', () => {
  const quire = async (...args: string[]) => {
    const all = { ...settings, EXTENSIONS: `${invoices},${faulty}` };
    const { ended, printed } = run('src/cli/quire.ts', all, args);
    return { code: (await ended).code, ...printed };
  };

  test('runs in the database of the server', async () => {
    const year = String(new Date().getFullYear());
    const { path } = (await invoice()).body;
    const { code, out } = await quire('invoices', 'list', year);
    expect(code).toBe(0);
    expect(out).toContain(path);
  });

  test('ends with the message of a refusal, and is listed in the help', async () => {
    expect(await quire('invoices', 'list', 'soon')).toMatchObject({ code: 1, err: 'soon is not a year.\n' });
    expect((await quire('invoices', 'list')).code).toBe(2);
    expect((await quire('--help')).out).toContain('invoices');
  });
});

describe('An import', () => {
  const folder = newFolder();
  const quire = async (args: string[], input?: string) => {
    const all = { ...settings, EXTENSIONS: `${invoices},${faulty}` };
    const { ended, printed } = run('src/cli/quire.ts', all, args, root, input);
    return { code: (await ended).code, ...printed };
  };
  const line = (name: string, properties: object = {}) =>
    JSON.stringify({
      path: `/default-domain/workspaces/${name}`,
      type: 'SalesInvoice',
      properties: { 'dc:title': name, 'si:customer': 'Acme', 'si:net': 10, ...properties },
    });

  test('of lines runs the listeners before each document is written', async () => {
    const next = Number((await invoice()).body.properties['si:number'].slice(-5)) + 1;
    const lines = `${line('imported-1')}\n${line('imported-2')}\n`;
    expect((await quire(['import', '--jsonl', '-'], lines)).code).toBe(0);
    const numberOf = async (name: string) => {
      const { body } = await api(`${workspaces}/${name}`, { headers: { properties: 'salesinvoice' } });
      return `${body.properties['si:number'].slice(-5)} ${body.properties['si:gross']}`;
    };
    const padded = (number: number) => String(number).padStart(5, '0');
    expect(await numberOf('imported-1')).toBe(`${padded(next)} 12`);
    expect(await numberOf('imported-2')).toBe(`${padded(next + 1)} 12`);
  });

  test('of lines ends at the first line that a listener refuses', async () => {
    const lines = `${line('kept')}\n${line('wrong', { 'si:vatId': 'DE1' })}\n`;
    const { code, err } = await quire(['import', '--jsonl', '-'], lines);
    expect(code).toBe(1);
    expect(err).toMatch(/line 2: .*DE1 is not a VAT id/);
    expect((await api(`${workspaces}/kept`)).status).toBe(404);
  });

  test('of a folder skips the files that a listener refuses, and names them', async () => {
    const files = join(folder, 'files');
    await mkdir(files);
    for (const name of ['refused.txt', 'completed.txt', 'other.txt'])
      await writeFile(join(files, name), name);
    const { code, out } = await quire(['import', files]);
    expect(code).toBe(0);
    expect(out).toMatch(/refused\.txt.*Not wanted here\./);
    const read = (name: string) =>
      api(`${workspaces}/files/${name}`, { headers: { properties: 'dublincore' } });
    expect((await read('refused.txt')).status).toBe(404);
    expect((await read('completed.txt')).body.properties['dc:description']).toBe('completed');
    expect((await read('other.txt')).body.properties['dc:description']).toBeNull();
  });

  test('of an export keeps the values, and says that no listener runs', async () => {
    const exported = join(folder, 'exported');
    const { path } = (await invoice()).body;
    expect((await quire(['export', exported, '--path', path])).code).toBe(0);
    const number = (await api(`/path${path}`, { headers: { properties: 'salesinvoice' } })).body.properties[
      'si:number'
    ];
    expect((await api(`/path${path}`, { method: 'DELETE' })).status).toBe(204);
    const { code, err } = await quire(['import', exported]);
    expect(err).toContain('The listeners of extensions do not run');
    expect(code).toBe(0);
    const restored = await api(`/path${path}`, { headers: { properties: 'salesinvoice' } });
    expect(restored.body.properties['si:number']).toBe(number);
  });
});

describe('A faulty extension', () => {
  const enriched = (name: string) => api(`${workspaces}`, { headers: { 'enrichers.document': name } });
  const logged = (pattern: RegExp) => printing(server, pattern);

  test('that throws is named in the log, and gives 500 without details', async () => {
    const { status, body } = await enriched('throwing');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret detail');
    await logged(/"extension":"faulty","part":"the enricher throwing"/);
    expect(server.printed.out).not.toContain('unexpected error'); // which would be a second entry for the failure
  });

  test.each([
    ['', 'total is missing.'],
    ['?total=much', 'total must be an integer; got "much".'],
    ['?total=4&day=soon', 'day must be a W3C date-time'],
  ])('gets its parameters from the URL, which are named if they are wrong: %s', async (query, message) => {
    const { status, body } = await api(`/ext/faulty/shares${query}`);
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
    expect((await api('/ext/faulty/shares?total=4')).body).toEqual({ share: 2 });
  });

  test('that returns values for too few documents fails', async () => {
    expect((await enriched('short')).status).toBe(500);
    await logged(/It must return 1 values, one for each document/);
  });

  test.each([
    ['number', 'It must return 1 values, one for each document'],
    ['bigint', 'It returned a bigint at .0.total.0, which JSON cannot represent'],
    ['cycle', 'or a value that contains itself'],
    ['map', 'It returned a Map at .0'],
  ])('that returns values of a wrong type is named: %s', async (name, message) => {
    expect((await enriched(name)).status).toBe(500);
    await logged(new RegExp(`${message}.*"part":"the enricher ${name}"`));
  });

  test('can return a value without a promise', async () => {
    expect((await enriched('rejecting')).body.contextParameters.rejecting).toBeNull();
  });

  test('that is slow is named while it runs, and delays no other request', async () => {
    const late = enriched('slow');
    await logged(/"part":"the enricher slow","milliseconds":2000,"msg":"An extension is slow\."/);
    expect((await api(workspaces)).status).toBe(200);
    expect((await late).body.contextParameters.slow).toBe('late');
  });

  test('cannot write in a request that only reads', async () => {
    expect((await enriched('writing')).status).toBe(500);
    await logged(/A mutation cannot run in a read-only function/);
  });

  test.each([
    'DELETE FROM ext_invoices_payment RETURNING id',
    'WITH gone AS (DELETE FROM ext_invoices_payment RETURNING id) SELECT * FROM gone',
    'SELECT 1) AS a; DELETE FROM ext_invoices_payment; SELECT * FROM (SELECT 1',
  ])('cannot write by SQL in a function that only reads: %s', async (sql) => {
    const counted = async () =>
      (
        await api('/automation/Faulty.Sql', {
          body: { params: { sql: 'SELECT count(*) FROM ext_invoices_payment' } },
        })
      ).body.rows[0].count;
    const before = await counted();
    expect(Number(before)).toBeGreaterThan(0);
    expect((await api('/automation/Faulty.Sql', { body: { params: { sql } } })).status).toBe(500);
    expect(await counted()).toBe(before);
  });

  test('that sends an operation for each document is named', async () => {
    await Promise.all(Array.from({ length: 21 }, (_, index) => create('Folder', { 'dc:title': `${index}` })));
    const page = await api(`${workspaces}/@children?pageSize=50`, {
      headers: { 'enrichers.document': 'perRow' },
    });
    expect(page.body.entries.length).toBeGreaterThan(20);
    expect(page.body.entries[0].contextParameters.perRow).toMatchObject({ document: {} });
    await logged(/An extension sent 20 operations/);
  });

  test('that takes more than two seconds before a write rolls it back', async () => {
    const began = performance.now();
    expect((await create('Note', { 'dc:title': 'slow' })).status).toBe(500);
    expect(performance.now() - began).toBeLessThan(8_000);
    await logged(/a listener before the create of Note/);
  });

  test.each([
    ['unknown property', 500],
    ['long title', 422],
  ])('that sets a wrong property (%s) gives %i', async (title, status) => {
    expect((await create('Note', { 'dc:title': title })).status).toBe(status);
  });

  test('that leaves a rejected promise does not end the server', async () => {
    expect((await api('/automation/Faulty.Reject', { body: {} })).status).toBe(204);
    await logged(/An extension did not handle the rejection of a promise/);
    expect((await api(workspaces)).status).toBe(200);
  });

  test('that blocks the event loop is named', async () => {
    expect((await api('/automation/Faulty.Block', { body: {} })).body).toEqual({ blocked: true });
    await logged(/"part":"the operation Faulty.Block","milliseconds":\d{3,}/);
  });

  test.each([
    ['faulty_text', /It must return an object with a query/],
    ['faulty_query', /Its query is not valid: .*/],
  ])('that composes no query fails: %s', async (name, message) => {
    expect((await api(`/search/pp/${name}/execute`)).status).toBe(500);
    await logged(new RegExp(`"extension":"faulty","part":"the page provider ${name}"`));
    await logged(message);
  });

  test('is counted in the metrics', async () => {
    const metric = async (name: string) => {
      const response = await fetch(`${server.url}/metrics`, { headers: { Authorization: authorization } });
      const text = await response.text();
      return Number(new RegExp(`^${name}\\{extension="faulty"\\} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    await api('/automation/Faulty.Block', { body: {} });
    const [calls, failures] = [
      await metric('extension_calls_total'),
      await metric('extension_failures_total'),
    ];
    expect(await metric('extension_blocked_seconds_total')).toBeGreaterThan(0.1);
    await enriched('throwing');
    expect(await metric('extension_failures_total')).toBe(failures + 1);
    expect(await metric('extension_calls_total')).toBe(calls + 1);
  });

  test.each([
    ['Document', 'It must return the id or path of a document'],
    ['Json', 'It returned a function at .call'],
  ])('whose operation returns a wrong type is named: %s', async (name, message) => {
    expect((await api(`/automation/Faulty.${name}`, { body: {} })).status).toBe(500);
    await logged(new RegExp(`${message}.*"part":"the operation Faulty.${name}"`));
  });

  test.each([
    ['a string', 'It must return the properties to set as an object'],
    ['a function', 'It returned a function at .dc:description'],
    ['an unknown property', 'dc:titel'],
  ])('whose listener before a write returns %s is named, and nothing is written', async (title, message) => {
    expect((await create('Note', { 'dc:title': title })).status).toBe(500);
    await logged(new RegExp(`${message}.*"part":"a listener before the create of Note"`));
  });

  test('sees only what its user can read', async () => {
    await api('/user', {
      body: {
        'entity-type': 'user',
        id: 'eve',
        properties: { username: 'eve', password: 'eve secret' },
      },
    });
    await api(`${workspaces}/@op/Document.BlockPermissionInheritance`, { body: {} });
    const read = (as?: string) =>
      api('/automation/Faulty.Read', {
        body: { params: { path: '/default-domain/workspaces' } },
        ...(as && { as }),
      });
    expect((await read()).body).toEqual({ document: { title: 'Workspaces' } });
    expect((await read(basic('eve', 'eve secret'))).status).toBe(403);
  });
});

describe('The server does not start with an extension', () => {
  const folder = newFolder();
  const refusal = async (text: string): Promise<string> => {
    const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
    await writeFile(file, text);
    const { ended, printed } = run('src/serve.ts', { ...settings, EXTENSIONS: file });
    expect((await ended).code).toBe(1);
    return printed.err;
  };

  test.each([
    ['that is missing a field', `export default { name: 'x' }`, /version: .*\n.*quire: /],
    ['that throws while it loads', `throw new Error('at load')`, /cannot be loaded\.\n.*at load/],
    ['that exports nothing', `export const a = 1`, /the default export must be an extension/],
    [
      'for another version',
      `export default { name: 'x', version: '1.0.0', quire: '^7.0' }`,
      /the extension works with \^7\.0, but this is version /,
    ],
    [
      'with an unknown part',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', hooks: [] }`,
      /hooks/,
    ],
    [
      'without a required setting',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', settings: { X_KEY: { description: 'Key.', required: true } } }`,
      /the setting X_KEY is missing/,
    ],
    [
      'with a resource whose path names no parameter',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', operations: [{ id: 'X.Y', label: 'Y', description: 'Y.', kind: 'mutation', input: 'none', output: 'none', resource: 'GET /y/:z', run: async () => {} }] }`,
      /X\.Y: resource: a mutation cannot be called with GET\n.*:z must be a required parameter/,
    ],
    [
      'whose migrations cannot be read',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', migrations: new URL('./none/', import.meta.url) }`,
      /migrations: ENOENT/,
    ],
    [
      'with a handler at a path of the server',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', handlers: [{ path: '/graphql', access: 'users', handle: async () => {} }] }`,
      /handlers\.0\.path: "\/graphql" is already used by the server/,
    ],
    [
      'with an enricher of the server',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', enrichers: [{ name: 'breadcrumb', description: 'B.', values: async () => [] }] }`,
      /EXTENSIONS: enrichers: the name breadcrumb is already used\./,
    ],
    [
      'with an operation of the server',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', operations: [{ id: 'Document.Lock', label: 'L', description: 'L.', kind: 'mutation', input: 'none', output: 'none', run: async () => {} }] }`,
      /EXTENSIONS: operations: the name Document\.Lock is already used\./,
    ],
    [
      'with wrong names',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', enrichers: [{ name: 'a-b', description: 'B.', values: async () => [] }], after: [{ name: 'y', path: 'foo', run: async () => {} }], operations: [{ id: 'X.Y', label: 'Y', description: 'Y.', kind: 'query', input: 'document', output: 'none', permission: 'Raed', run: async () => {} }] }`,
      /enrichers\.0\.name: "a-b" must consist of letters, digits and "_"\n.*operations\.0\.permission: "Raed" is not a permission\n.*after\.0\.path: "foo" must begin with "\/"/,
    ],
    [
      'with listeners to unknown types',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', before: [{ types: ['Fil'], run: async () => {} }], after: [{ name: 'y', types: ['Nota'], run: async () => {} }] }`,
      /before: .*Fil.*\n.*after: .*Nota/,
    ],
    ['with a syntax error', `export default {`, /Run "node --check" with its file/],
    [
      'whose SQL is wrong',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', queryProperties: [{ name: 'x:a', type: 'number', sql: 'd.colour' }], queryPredicates: [{ name: 'x:b', type: 'string', sql: 'd.id = $value' }] }`,
      /queryProperties: x:a: column d\.colour does not exist\n.*queryPredicates: x:b: operator does not exist: uuid = text/,
    ],
    [
      'with a page provider whose aggregate is wrong',
      `export default { name: 'x', version: '1.0.0', quire: '^1.0', pageProviders: [{ name: 'p', description: 'P.', query: async () => ({ query: '' }), options: { aggregates: [{ id: 'a', property: 'no:thing', type: 'terms' }] } }] }`,
      /pageProviders\.p\.aggregates\[0\].*no:thing/,
    ],
  ])('%s', async (_, text, message) => {
    expect(await refusal(text)).toMatch(message);
  });
});
