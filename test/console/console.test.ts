import { hash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, getNamedType, isInputObjectType, parse, typeFromAST } from 'graphql';
import { operationsFile, printedOperations } from '../../src/cli/console-operations.ts';
import { consoleFolder, screenNames } from '../../src/console/files.ts';
import { printedSchema } from '../../src/schema/print.ts';
import * as operations from '../../web/src/graphql/operations.ts';
import { startServer, useServer } from '../support/server.ts';
import { useUser } from '../support/users.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);
const page = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('the files of the console', () => {
  test.each([
    ['/', 200],
    ['/browse/default-domain', 200],
    ['/no-such-screen', 404],
    ['/browser', 404],
  ])('are there at %s for a browser, with the status %i', async (path, status) => {
    const { headers, text } = await server.anonymous.get(path).set('Accept', page).expect(status);
    expect(text).toContain('<base href="/"');
    expect(text).toContain('<meta name="session" content="no"');
    expect(headers['cache-control']).toBe('no-store');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  test('know the addresses of the screens', async () => {
    const screens = await readFile('web/src/app/screens.tsx', 'utf8');
    const paths = [...screens.matchAll(/path: '([a-z]+)/g)].map(([, name]) => name);
    expect(screenNames).toEqual(paths);
  });

  test.each(['/', '/docs', '/docs/search', '/tasks'])(
    'are there at %s for a program that accepts anything, not for one that asks for JSON',
    async (path) => {
      for (const accept of ['*/*', '']) {
        const { headers } = await server.anonymous.get(path).set('Accept', accept).expect(200);
        expect(headers['content-type']).toBe('text/html; charset=utf-8');
      }
      await server.anonymous.get(path).set('Accept', 'application/json').expect(404);
    },
  );

  test.each(['application/json', '*/*', undefined])('are not for what accepts %s: 404', async (accept) => {
    const sent = server.anonymous.get('/no-such-screen');
    const { body } = await (accept ? sent.set('Accept', accept) : sent).expect(404);
    expect(body.message).toBe('There is no resource at /no-such-screen.');
  });

  test('are no answer to a write, nor to an address of REST', async () => {
    await server.anonymous.post('/no-such-screen').set('Accept', page).expect(404);
    for (const accept of [page, 'text/html', `application/json,${page}`])
      for (const path of [
        '/api/v1/no-such-route',
        '/site/automation/no/such/route',
        '/nxfile/no-such-file',
      ]) {
        const { body } = await server.request.get(path).set('Accept', accept).expect(404);
        expect(body['entity-type']).toBe('exception');
      }
  });

  test('keep for ever, but for the page itself', async () => {
    const { text } = await server.anonymous.get('/').set('Accept', page);
    const [, script = ''] = /src="\.(\/assets\/[^"]+\.js)"/.exec(text) ?? [];
    const { headers } = await server.anonymous.get(script).expect(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-encoding']).toBe('gzip');
    await server.anonymous.get(script).set('If-None-Match', String(headers.etag)).expect(304);
    await server.anonymous.get('/assets/no-such-file.js').set('Accept', page).expect(404);
  });

  test('are at most 350 kB of script before the first screen', async () => {
    const { text } = await server.anonymous.get('/').set('Accept', page);
    const scripts = [...text.matchAll(/(?:src|href)="\.(\/assets\/[^"]+\.js)"/g)].map(
      ([, path = '']) => path,
    );
    const sizes = await Promise.all(
      scripts.map(async (path) => gzipSync(await readFile(join(consoleFolder, path))).length),
    );
    expect(scripts.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(350_000);
  });

  test('lie below CONTEXT_PATH, with GraphQL beside them', async () => {
    await using other = await startServer({ CONTEXT_PATH: '/nuxeo' });
    const { text } = await other.anonymous.get('/nuxeo/browse').set('Accept', page).expect(200);
    expect(text).toContain('<base href="/nuxeo/"');
    await other.anonymous.get('/').set('Accept', page).expect(404);
    const { body } = await other.request.post('/nuxeo/graphql').send({ query: '{ me { id } }' }).expect(200);
    expect(body.data.me.id).toBe('Administrator');
  });
});

describe('the operations of the console', () => {
  test('are those of its .graphql files: npm run print', async () => {
    expect(await readFile(operationsFile, 'utf8')).toBe(await printedOperations());
  });

  test('are all that others than administrators may send', async () => {
    const { body } = await ann.post('/graphql').send({ query: operations.me.text }).expect(200);
    expect(body.data.me).toMatchObject({ id: 'ann', isAdministrator: false });
    for (const query of ['{ me { id } }', `${operations.me.text} `, '{', undefined])
      await ann.post('/graphql').send({ query }).expect(403);
    await ann.get('/graphql').query({ query: operations.me.text }).expect(403);
  });

  test('are those of a build that was made since, too', async () => {
    const file = join(consoleFolder, 'operations.json');
    const built = await readFile(file, 'utf8');
    // At once, since other tests read it.
    const replace = async (text: string) => {
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    };
    const query = '{ me { isAdministrator } }';
    await ann.post('/graphql').send({ query }).expect(403);
    try {
      await replace(JSON.stringify([...JSON.parse(built), hash('sha256', query)]));
      await ann.post('/graphql').send({ query }).expect(200);
    } finally {
      await replace(built);
    }
    await ann.post('/graphql').send({ query }).expect(403);
  });

  test('give none of them more rights', async () => {
    const sent = { query: operations.jobs.text, variables: { cursor: '*' } };
    const { body } = await ann.post('/graphql').send(sent).expect(200);
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  /** A digest would give its sender bytes of others. */
  test('take no digest of a file', () => {
    const schema = buildSchema(printedSchema());
    const digestIn = (name: string, seen: readonly string[] = []): boolean => {
      const type = schema.getType(name);
      if (!isInputObjectType(type) || seen.includes(name)) return false;
      return Object.values(type.getFields()).some(
        (field) => field.name === 'digest' || digestIn(getNamedType(field.type).name, [...seen, name]),
      );
    };
    const variables = Object.values(operations).flatMap(({ text }) =>
      parse(text).definitions.flatMap((node) =>
        'variableDefinitions' in node ? (node.variableDefinitions ?? []) : [],
      ),
    );
    const types = new Set(
      variables.map(({ type }) => String(getNamedType(typeFromAST(schema, type as never)))),
    );
    expect(types.size).toBeGreaterThan(5);
    expect([...types].filter((name) => digestIn(name))).toEqual([]);
  });
});

describe('the texts of the console', () => {
  const catalogue = async (language: string): Promise<Record<string, string>> =>
    JSON.parse(await readFile(new URL(`../../web/src/texts/${language}.json`, import.meta.url), 'utf8'));
  const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

  test('are in both languages, with the same values in them', async () => {
    const [en, fr] = [await catalogue('en'), await catalogue('fr')];
    expect(Object.keys(fr)).toEqual(Object.keys(en));
    const other = Object.keys(en).filter(
      (key) => String(placeholders(en[key] ?? '')) !== String(placeholders(fr[key] ?? '')),
    );
    expect(other).toEqual([]);
  });
});
