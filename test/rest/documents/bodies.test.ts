import { describe, expect, test } from '@jest/globals';
import { atPath, createDocument, documentBody, workspaces } from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

const methods = ['post', 'put'] as const;

/** Expects POST and PUT to refuse the text, sent as JSON, with 400 and the message. */
async function refused(text: string, message: unknown = expect.any(String)): Promise<void> {
  for (const method of methods) {
    const request = server.request[method](atPath(workspaces)).type('application/json');
    const { body } = await request.send(text).expect(400);
    expect(body).toMatchObject(exception(400, message));
  }
}

/** A valid body but for its properties, as text. */
const withProperties = (text: string): string =>
  `{"entity-type": "document", "name": "odd", "type": "File", "properties": ${text}}`;

describe('§4 a body that is not JSON', () => {
  test.each([
    '{',
    '{"a": 1',
    "{'a': 1}",
    'entity-type=document',
    '{"a": NaN}',
    '{"a": 01}',
    '[1,]',
    '\u0000',
    '{}{}',
  ])('is refused: %j', async (text) => {
    await refused(text, expect.stringMatching(/^the body is not valid JSON: /));
  });

  test('is refused when its bytes are not UTF-8', async () => {
    const [before, after] = [
      '{"entity-type":"document","name":"u","type":"File","properties":{"dc:title":"caf',
      '"}}',
    ];
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xe9]), Buffer.from(after)]);
    for (const method of methods) {
      const request = server.request[method](atPath(workspaces)).type('application/json');
      const { body } = await request
        .serialize((sent) => sent)
        .send(bytes as never)
        .expect(400);
      expect(body).toMatchObject(exception(400, 'The body is not encoded in UTF-8.'));
    }
    await server.request.get(atPath(`${workspaces}/u`)).expect(404);
  });

  test('is refused when it is empty or missing', async () => {
    await refused('');
    await refused('   ');
    for (const method of methods) {
      const { body } = await server.request[method](atPath(workspaces)).expect(400);
      expect(body).toMatchObject(exception(400, expect.stringContaining('body')));
    }
  });
});

describe('§4 a body that is not a document entity', () => {
  test.each(['[]', '[{"entity-type": "document"}]', 'null', '1', '"document"', 'true'])(
    'is refused: %s',
    async (text) => {
      await refused(text, 'The body must be a JSON object.');
    },
  );

  test.each(['{}', '{"name": "a", "type": "File"}', '{"entityType": "document"}'])(
    'is refused without entity-type: %s',
    async (text) => {
      await refused(text, expect.stringContaining('entity-type'));
    },
  );

  test.each(['"documents"', '"Document"', '"user"', '""', 'null', '1', '["document"]', '{"a": 1}'])(
    'is refused with the entity-type %s',
    async (type) => {
      const text = `{"entity-type": ${type}, "name": "a", "type": "File"}`;
      await refused(text, expect.stringContaining('entity-type must be "document"'));
    },
  );

  test.each(['[]', '"text"', '1', 'true', '[{"dc:title": "A"}]'])(
    'is refused with properties that are %s',
    async (text) => {
      await refused(withProperties(text), expect.stringContaining('properties'));
    },
  );
});

describe('§4 text that the database cannot store', () => {
  const nul = '"a\\u0000b"';

  test.each([
    ['a value', withProperties(`{"dc:title": ${nul}}`)],
    ['an item', withProperties(`{"dc:subjects": [${nul}]}`)],
    ['a key', withProperties(`{${nul}: 1}`)],
    [
      'a field that is ignored',
      `{"entity-type": "document", "name": "a", "type": "File", "x": [{"y": ${nul}}]}`,
    ],
  ])('a NUL character in %s is refused', async (_, text) => {
    await refused(text, expect.stringContaining('NUL'));
  });

  test.each(['"\\ud800"', '"a\\udc00b"', '"\\udc00\\ud800"'])(
    'an unpaired surrogate is refused: %s',
    async (text) => {
      await refused(withProperties(`{"dc:title": ${text}}`), expect.stringContaining('surrogate'));
    },
  );

  test('a surrogate pair is stored', async () => {
    const { path } = await createDocument(server);
    const text = '{"entity-type": "document", "properties": {"dc:title": "\\ud83d\\ude00"}}';
    const { body } = await server.request.put(atPath(path)).type('application/json').send(text).expect(200);
    expect(body.title).toBe('😀');
  });
});

describe('§4 hostile bodies', () => {
  test.each([
    [
      'in the entity',
      '{"entity-type": "document", "name": "a", "type": "File", "__proto__": {"isAdministrator": true}}',
    ],
    ['in properties', withProperties('{"__proto__": {"dc:title": "A"}}')],
    ['in a value', withProperties('{"file:content": {"__proto__": {"content": "x"}}}')],
  ])('a key __proto__ %s is refused', async (_, text) => {
    await refused(text, expect.stringContaining('__proto__'));
  });

  test.each(['constructor', 'prototype', 'toString', 'dc:constructor', 'dc:__proto__', 'hasOwnProperty'])(
    'the property %s is refused as unknown',
    async (xpath) => {
      await refused(withProperties(`{"${xpath}": "x"}`), `unknown property: ${xpath}`);
    },
  );

  test('the keys constructor and prototype of the entity are ignored', async () => {
    const ignored = { constructor: { prototype: { polluted: true } }, prototype: 1, hasOwnProperty: 1 };
    await server.request
      .post(atPath(workspaces))
      .send(documentBody({ name: 'harmless', type: 'File', ...ignored }))
      .expect(201);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each([101, 5000, 50_000])('%d levels of nesting are refused', async (depth) => {
    const nested = '['.repeat(depth) + ']'.repeat(depth);
    const text = `{"entity-type": "document", "name": "a", "type": "File", "x": ${nested}}`;
    const request = server.request.post(atPath(workspaces)).type('application/json');
    const { body } = await request.send(text).expect(413);
    expect(body).toMatchObject(exception(413, 'the body is nested more than 100 levels deep'));
  });

  test.each(['title', 'dc:title'])(
    'an object with more than 10,000 fields called %s and so on is refused',
    async (name) => {
      const fields = Array.from({ length: 10_001 }, (_, index) => `"${name}${index}": 1`).join();
      const text = `{"entity-type": "document", "name": "a", "type": "File", "properties": {${fields}}}`;
      const request = server.request.post(atPath(workspaces)).type('application/json');
      const { body } = await request.send(text).expect(413);
      expect(body).toMatchObject(exception(413, 'the body has an object with more than 10000 fields'));
    },
  );

  test('10,000 fields of an object are read', async () => {
    const fields = Array.from({ length: 10_000 }, (_, index) => `"nothing:${index}": 1`).join();
    const text = `{"entity-type": "document", "name": "a", "type": "File", "properties": {${fields}}}`;
    const request = server.request.post(atPath(workspaces)).type('application/json');
    const { body } = await request.send(text).expect(400);
    expect(body.message).toContain('unknown property: nothing:99;');
    expect(body.message).toContain('and 9900 more');
  });

  test('90 levels of nesting are accepted', async () => {
    const nested = JSON.parse('['.repeat(90) + ']'.repeat(90));
    const { path } = await createDocument(server);
    await server.request
      .put(atPath(path))
      .send(documentBody({ contextParameters: nested }))
      .expect(200);
  });

  test('the last of two equal keys counts, as everywhere in JSON', async () => {
    const { path } = await createDocument(server);
    const text = '{"entity-type": "document", "properties": {"dc:title": "A", "dc:title": "B"}}';
    const { body } = await server.request.put(atPath(path)).type('application/json').send(text).expect(200);
    expect(body.title).toBe('B');
  });
});
