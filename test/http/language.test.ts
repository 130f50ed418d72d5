import { beforeAll, describe, expect, test } from '@jest/globals';
import { exchange, parseAnswer } from '../fuzz/raw.ts';
import { everyType } from '../rest/documents/every-type.ts';
import { authorization } from '../support/administrator.ts';
import { atPath, createDocument, documentBody, workspaces } from '../support/documents.ts';
import { useServer } from '../support/server.ts';

const server = useServer({}, everyType);
let port: number;
beforeAll(async () => {
  port = await server.listen();
});

const broken = documentBody({ name: 'b', type: 'Limited', properties: { 'dc:nature': 'none' } });
const required = { en: 'This field is required.', fr: 'Ce champ est obligatoire.' };
const noEntry = {
  en: '"none" is not an entry of the directory nature.',
  fr: "« none » n'est pas une entrée du répertoire nature.",
};

/** Sends a request as it is written here, and returns its answer. */
async function ask(method: string, address: string, headers: readonly string[], json?: object) {
  const body = json === undefined ? '' : JSON.stringify(json);
  const lines = [
    `${method} ${address} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${authorization}`,
    'Connection: close',
    ...(json ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
    ...headers,
  ];
  const answer = parseAnswer(await exchange(port, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)));
  return { ...answer, json: answer.body.length > 0 ? JSON.parse(answer.body.toString()) : undefined };
}

const report = (...headers: string[]) => ask('POST', atPath(workspaces), headers, broken);
const messages = ({ json }: { json: { violations: Array<{ message: string }> } }) =>
  json.violations.map(({ message }) => message).sort();
const expected = (language: 'en' | 'fr') => [required[language], noEntry[language]].sort();
const varies = ({ headers }: { headers: ReadonlyMap<string, string> }) =>
  (headers.get('vary') ?? '').toLowerCase().split(/, */);

describe('§9 the language of a validation report', () => {
  test.each([
    ['Accept-Language: fr', 'fr'],
    ['accept-language: fr-FR,fr;q=0.9,en-US;q=0.8,en;q=0.7', 'fr'],
    ['Accept-Language: fr_CA', 'fr'],
    ['Accept-Language: en;q=0.5, fr;q=0.501', 'fr'],
    ['Accept-Language: de-CH, *;q=0.1', 'en'],
    ['Accept-Language: fr;q=0', 'en'],
    ['Accept-Language: de', 'en'],
    ['Accept-Language:', 'en'],
    ['Accept-Language: ;q=,,;;fr=fr;q', 'en'],
    ['Accept-Language: fr;q=abc', 'en'],
    [`Accept-Language: ${'x,'.repeat(4000)}`, 'en'],
    ['X-Other: fr', 'en'],
  ] as const)('is chosen by %s', async (header, language) => {
    const answer = await report(header);
    expect(answer.status).toBe(422);
    expect(messages(answer)).toEqual(expected(language));
    expect(varies(answer)).toContain('accept-language');
  });

  test('is that of ?language= before that of the header', async () => {
    for (const [query, header, language] of [
      ['fr', 'en', 'fr'],
      ['en', 'fr', 'en'],
      ['xx', 'fr', 'fr'],
    ] as const) {
      const address = `${atPath(workspaces)}?language=${query}`;
      expect(messages(await ask('POST', address, [`Accept-Language: ${header}`], broken))).toEqual(
        expected(language),
      );
    }
  });

  test('changes the messages alone', async () => {
    const [english, french] = [await report(), await report('Accept-Language: fr')];
    const without = ({ json }: typeof english) =>
      JSON.parse(
        JSON.stringify(json, (key, value: unknown) => (['message', 'requestId'].includes(key) ? '' : value)),
      );
    expect(without(french)).toEqual(without(english));
  });

  test.each([
    [{ 'li:code': 'ab12' }, 'Cette valeur ne correspond pas au modèle [A-Z]{2}\\d+.'],
    [{ 'li:code': 'AB1234' }, 'Cette valeur compte plus de 5 caractères.'],
    [{ 'li:code': 'A' }, 'Cette valeur compte moins de 3 caractères.'],
    [{ 'li:color': 'blue' }, 'Cette valeur ne fait pas partie des valeurs autorisées : red, green.'],
    [{ 'li:grade': 0 }, 'Cette valeur est inférieure à 1.'],
    [{ 'li:grade': 7 }, 'Cette valeur est supérieure à 6.'],
  ])('words every constraint: %j', async (properties, message) => {
    const sent = documentBody({ name: 'c', type: 'Limited', properties: { 'li:owner': 'A', ...properties } });
    expect(messages(await ask('POST', atPath(workspaces), ['Accept-Language: fr'], sent))).toContain(message);
  });
});

describe('§9 the language of GraphQL', () => {
  test('is that of the header, for messages and labels', async () => {
    const query = `mutation ($d: NewDocument!) { createDocument(parentPath: "/", document: $d) { uid } }`;
    const document = { name: 'b', type: 'File', properties: { 'dc:nature': 'none' } };
    const refused = { query, variables: { d: document } };
    const label =
      '{ directoryEntry(directory: "country", id: "Germany") { properties(translate: ["label"]) } }';
    for (const [language, country] of [
      ['en', 'Germany'],
      ['fr', 'Allemagne'],
    ] as const) {
      const header = `Accept-Language: ${language}, de;q=0.1`;
      const { json } = await ask('POST', '/graphql', [header], refused);
      expect(json.errors[0].message).toBe(`dc:nature: ${noEntry[language]}`);
      expect(json.errors[0].extensions.violations[0].message).toBe(noEntry[language]);
      const labelled = await ask('POST', '/graphql', [header], { query: label });
      expect(labelled.json.data.directoryEntry.properties.label).toBe(country);
      expect(varies(labelled)).toContain('accept-language');
    }
  });
});

describe('§9 caches and languages', () => {
  const translated = ['fetch.document: dc:nature', 'translate.directoryEntry: label'];

  test('a document with translated labels has an ETag for each language', async () => {
    const { path } = await createDocument(server, { properties: { 'dc:nature': 'article' } });
    const get = (language: string, ...headers: string[]) =>
      ask('GET', atPath(path), [`Accept-Language: ${language}`, ...headers]);
    const [english, french] = [await get('en', ...translated), await get('fr', ...translated)];
    expect(french.headers.get('etag')).not.toBe(english.headers.get('etag'));
    expect(varies(french)).toContain('accept-language');
    const cached = `If-None-Match: ${english.headers.get('etag')}`;
    expect((await get('fr', ...translated, cached)).status).toBe(200);
  });

  test('a document without labels has one ETag, which every language may use', async () => {
    const { path } = await createDocument(server);
    const english = await ask('GET', atPath(path), ['Accept-Language: en']);
    expect(varies(english)).not.toContain('accept-language');
    const cached = `If-None-Match: ${english.headers.get('etag')}`;
    const french = await ask('GET', atPath(path), ['Accept-Language: fr', cached]);
    expect(french.status).toBe(304);
    expect(french.headers.get('etag')).toBe(english.headers.get('etag'));
  });

  test('a write under an idempotency key is another one in another language', async () => {
    const headers = ['Idempotency-Key: lang', ...translated];
    const body = documentBody({ name: 'once', type: 'File', properties: { 'dc:nature': 'article' } });
    const send = (language: string) =>
      ask('POST', atPath(workspaces), [...headers, `Accept-Language: ${language}`], body);
    const [first, again, other] = [await send('en'), await send('en'), await send('fr')];
    expect([first.status, again.status, other.status]).toEqual([201, 201, 422]);
    expect(again.json).toEqual(first.json);
  });

  test('operations that answer labels say so, and their parameter comes before the header', async () => {
    const call = (params: object) =>
      ask('POST', '/api/v1/automation/Directory.SuggestEntries', ['Accept-Language: fr'], {
        params: { directoryName: 'country', localize: true, searchTerm: 'Ger', ...params },
      });
    const labels = ({ json }: Awaited<ReturnType<typeof call>>) =>
      JSON.stringify(json).match(/"displayLabel":"[^"]*"/g);
    const english = await call({ lang: 'en' });
    expect(labels(english)).toContain('"displayLabel":"Germany"');
    expect(varies(english)).toContain('accept-language');
    expect(labels(await call({ searchTerm: 'Alle' }))).toContain('"displayLabel":"Allemagne"');
    expect(labels(await call({ searchTerm: 'Alle', lang: 'fra' }))).toContain('"displayLabel":"Allemagne"');
  });
});
