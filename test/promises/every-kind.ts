import pg from 'pg';
import { ask } from '../db/processes.ts';

/** A text that a careless migration would change. */
const odd = 'a "quoted" \\ line\n\ttab, {braces}, NULL, \u2028, 漢字 and 🦉';

type Body = Record<string, unknown>;

/** Sends a request as the administrator. @throws Error for a status other than 2xx */
async function send(url: string, method: string, path: string, body?: Body | string): Promise<Body> {
  const isText = typeof body === 'string';
  const response = await ask(url, path, {
    method,
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    ...(isText && { headers: { 'Content-Type': 'text/plain', 'X-File-Name': 'text.txt' } }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text.startsWith('{') ? JSON.parse(text) : { text };
}

/** Content of every kind: what requests read, and the ids that they need. */
export interface EveryKind {
  /** The paths of GET requests whose responses show the content. */
  readonly paths: readonly string[];
  /** The paths of GET requests for bytes. */
  readonly files: readonly string[];
}

/** Creates content of every kind with requests that releases since 0.2.0 understand. */
export async function createEveryKind(url: string): Promise<EveryKind> {
  const api = (method: string, path: string, body?: Body | string) =>
    send(url, method, `/api/v1${path}`, body);
  const document = (type: string, name: string, properties: Body = {}): Body => ({
    'entity-type': 'document',
    type,
    name,
    properties: { 'dc:title': `${name} ${odd}`, ...properties },
  });
  const run = (operation: string, input: string, params: Body = {}) =>
    api('POST', `/automation/${operation}`, { input, params });

  for (const id of ['ann', 'bob'])
    await api('POST', '/user', {
      'entity-type': 'user',
      id,
      properties: { username: id, password: 'Secret-of-ann-1', email: `${id}@example.org`, lastName: odd },
    });
  await api('POST', '/group', {
    'entity-type': 'group',
    id: 'crew',
    grouplabel: 'Crew',
    memberUsers: ['ann'],
  });
  await api('POST', '/group', { 'entity-type': 'group', id: 'team', memberGroups: ['crew'] });
  await api('POST', '/directory/nature', {
    'entity-type': 'directoryEntry',
    directoryName: 'nature',
    properties: { id: 'essay', label: odd, obsolete: 0, ordering: 7 },
  });

  const root = '/default-domain/workspaces';
  await api('POST', `/path${root}`, document('Workspace', 'kinds'));
  const at = `${root}/kinds`;
  for (const type of ['Folder', 'OrderedFolder', 'Note', 'File', 'Picture', 'Audio', 'Video', 'Collection'])
    await api(
      'POST',
      `/path${at}`,
      document(type, type, { 'dc:subjects': ['art/music'], 'dc:coverage': 'europe/France' }),
    );
  await api('PUT', `/path${at}/Note`, {
    'entity-type': 'document',
    properties: { 'note:note': odd.repeat(200), 'note:mime_type': 'text/plain' },
  });
  await api('POST', '/path/default-domain/sections', document('Section', 'news'));

  const { batchId } = await api('POST', '/upload');
  await api('POST', `/upload/${batchId}/0`, odd.repeat(3_000));
  await api('PUT', `/path${at}/File`, {
    'entity-type': 'document',
    properties: {
      'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' },
      'files:files': [{ file: { name: 'b.txt', 'mime-type': 'text/plain', content: odd } }],
    },
  });
  await run('Services.TagDocument', `${at}/File`, { tags: 'red,Žluť' });
  await run('Document.AddToCollection', `${at}/File`, { collection: `${at}/Collection` });
  await run('Document.AddToFavorites', `${at}/File`);
  await run('Document.CreateVersion', `${at}/File`, { increment: 'Major' });
  await run('Document.PublishToSection', `${at}/File`, { target: '/default-domain/sections/news' });
  await run('Document.Subscribe', `${at}/File`);
  await run('Document.Lock', `${at}/Note`);
  await run('Document.AddPermission', `${at}/Folder`, { users: ['team'], permission: 'ReadWrite' });
  await run('Document.AddPermission', `${at}/Folder`, {
    users: ['bob'],
    permission: 'Read',
    end: '2100-01-01T00:00:00.000Z',
  });
  await run('Document.BlockPermissionInheritance', `${at}/OrderedFolder`);
  await api('POST', `/path${at}`, document('File', 'trashed'));
  await run('Document.Trash', `${at}/trashed`);
  await api('POST', `/path${at}`, document('File', 'kept'));
  await run('Document.Hold', `${at}/kept`, { description: odd });
  const { uid } = await api('GET', `/path${at}/File`);
  await api('POST', `/id/${uid}/@comment`, { 'entity-type': 'comment', parentId: uid, text: odd });
  const annotation = { 'entity-type': 'annotation', parentId: uid, xpath: 'file:content', text: odd };
  await api('POST', `/id/${uid}/@annotation`, { ...annotation, entityId: 'annotation-1', entity: '<xml/>' });
  const workflow = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' };
  const { id: workflowId } = await api('POST', `/id/${uid}/@workflow`, workflow);
  const saved = {
    'entity-type': 'savedSearch',
    title: odd,
    queryLanguage: 'NXQL',
    query: 'SELECT * FROM File',
  };
  const { id: searchId } = await api('POST', '/search/saved', saved);
  const hook = { 'entity-type': 'webhook', url: 'https://example.org/hook', enabled: false };
  await api('POST', '/management/webhooks', hook);
  const device = 'applicationName=app&deviceId=d1&deviceDescription=Phone&permission=rw';
  await send(url, 'GET', `/authentication/token?${device}`);
  const waiting = await api('POST', '/upload');
  await api('POST', `/upload/${waiting.batchId}/0`, odd);

  const query = (text: string) => `/search/lang/NXQL/execute?query=${encodeURIComponent(text)}&pageSize=100`;
  return {
    paths: [
      ...['Folder', 'OrderedFolder', 'Note', 'File', 'Collection', 'kept'].map(
        (name) => `/path${at}/${name}`,
      ),
      `/path${at}/@children?pageSize=100&sortBy=dc:title`,
      `/path${at}/Folder/@acl`,
      `/id/${uid}/@comment`,
      `/id/${uid}/@annotation?xpath=file:content`,
      `/path/default-domain/sections/news/@children`,
      query('SELECT * FROM Document WHERE ecm:isVersion = 1 ORDER BY ecm:uuid'),
      query("SELECT * FROM Document WHERE ecm:fulltext = 'quoted' ORDER BY ecm:uuid"),
      query("SELECT * FROM Document WHERE ecm:tag = 'red' ORDER BY ecm:uuid"),
      query('SELECT * FROM Document WHERE ecm:isTrashed = 1 ORDER BY ecm:uuid'),
      `/workflow/${workflowId}`,
      `/task?workflowInstanceId=${workflowId}`,
      `/search/saved/${searchId}`,
      '/user/ann',
      '/group/crew',
      '/group/team',
      '/directory/nature/essay',
      `/upload/${waiting.batchId}/0`,
      '/token',
    ].map((path) => `/api/v1${path}`),
    files: [`${at}/File/@blob/file:content`, `${at}/File/@blob/files:files/0/file`].map(
      (path) => `/api/v1/path${path}`,
    ),
  };
}

/** The responses of a server about the content, by path. */
export async function readEveryKind(
  url: string,
  { paths, files }: EveryKind,
): Promise<Record<string, unknown>> {
  const headers = { properties: '*', 'enrichers.document': 'tags,acls,favorites,collections,breadcrumb' };
  const read: Record<string, unknown> = {};
  for (const path of paths) {
    const response = await ask(url, path, { headers });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    // Links contain the address of the server.
    read[path] = JSON.parse((await response.text()).replaceAll(/(127\.0\.0\.1|localhost):\d+/g, 'host'));
  }
  for (const path of files) read[path] = await (await ask(url, path)).text();
  return read;
}

/**
 * Tables that change although nobody writes content: jobs, the search index, which a new release can rebuild, and the
 * words of titles, which are collected in the background.
 */
const isVolatile = (table: string): boolean =>
  /^(_prisma_migrations|job|search_|title_word|file_words|rendition)/.test(table);

type Rows = ReadonlyMap<string, ReadonlyArray<Record<string, unknown>>>;

/** Reads the rows of all tables with content, as JSON, by the name of the table. */
export async function rowsOf(connectionString: string): Promise<Rows> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    const rows = new Map<string, Array<Record<string, unknown>>>();
    for (const { name } of tables.rows.filter((table) => !isVolatile(table.name))) {
      const found = await client.query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) AS row FROM "${name}" t`,
      );
      rows.set(
        name,
        found.rows.map(({ row }) => row),
      );
    }
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * Describes the rows that are missing after an upgrade or have other values in the columns that they had before.
 * @param ignored columns that change although nobody writes content, such as the time of the last use
 */
export function lostRows(before: Rows, after: Rows, ignored: readonly string[]): string[] {
  const lost: string[] = [];
  for (const [table, rows] of before) {
    const columns = Object.keys(rows[0] ?? {}).filter((column) => !ignored.includes(`${table}.${column}`));
    const textOf = (row: Record<string, unknown>) =>
      JSON.stringify(columns.map((column) => row[column] ?? null));
    const left = new Map<string, number>();
    for (const row of after.get(table) ?? []) left.set(textOf(row), (left.get(textOf(row)) ?? 0) + 1);
    for (const row of rows) {
      const text = textOf(row);
      const count = left.get(text) ?? 0;
      if (count === 0) lost.push(`${table}: ${text.slice(0, 300)}`);
      left.set(text, count - 1);
    }
  }
  return lost;
}
