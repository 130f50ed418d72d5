import { EventEmitter } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import type { Response } from 'express';
import { Unavailable } from '../../src/errors.ts';
import { jsonParser } from '../../src/http/json-body.ts';
import { largeBodyTurns } from '../../src/loaders/turns.ts';
import { authorization } from '../support/administrator.ts';
import { atPath, documentBody, workspaces } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { useUser } from '../support/users.ts';

const large = (mark: number): string => JSON.stringify([mark, 'x'.repeat(1_000_000)]);
const small = '[1]';

/** The answer to a user, which can be closed. */
const responseTo = (id: string): Response =>
  Object.assign(new EventEmitter(), {
    locals: { state: { user: { id } } },
    closed: false,
  }) as unknown as Response;

describe('JSON of more than 1 MB', () => {
  const counts = { waited: 0, refused: 0 };
  const parser = () =>
    jsonParser(
      largeBodyTurns({
        onWaited: () => {
          counts.waited += 1;
        },
        onRefused: () => {
          counts.refused += 1;
        },
      }),
    );

  test('is parsed one body after the other, and the event loop does other work between two', async () => {
    const parse = parser();
    const order: string[] = [];
    let rounds = 0;
    let isOver = false;
    const next = (): void => {
      rounds += 1;
      if (!isOver) setImmediate(next);
    };
    setImmediate(next);
    const parsed = [1, 2, 3].map(async (mark) => {
      await parse(responseTo(`user-${mark}`), large(mark), 'the body');
      order.push(`${mark} after ${rounds}`);
      return rounds;
    });
    expect(await parse(responseTo('ann'), small, 'the body')).toEqual([1]);
    expect(order).toEqual([]); // a small body does not wait for large ones
    const at = await Promise.all(parsed);
    isOver = true;
    expect(new Set(at).size).toBe(3);
    expect(order.map((each) => each[0])).toEqual(['1', '2', '3']);
    expect(counts).toEqual({ waited: 2, refused: 0 });
  });

  test('waits in a queue with ten places for each user and forty for all', async () => {
    const parse = parser();
    const send = (user: string, count: number) =>
      Array.from({ length: count }, (_, mark) => parse(responseTo(user), large(mark), 'the body'));
    const refusedOf = async (sent: ReadonlyArray<Promise<unknown>>): Promise<number> => {
      const outcomes = await Promise.allSettled(sent);
      const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(reasons.every((reason) => reason instanceof Unavailable)).toBe(true);
      return reasons.length;
    };
    const ann = send('ann', 13); // one is parsed, ten wait
    const others = ['bob', 'carl', 'dora', 'eve'].map((user) => send(user, 10));
    expect(await refusedOf(ann)).toBe(2);
    expect(await refusedOf(others.flat())).toBe(10);
  });

  test('gives up its place when the client disconnects', async () => {
    const parse = parser();
    const first = parse(responseTo('ann'), large(1), 'the body');
    const gone = responseTo('bob');
    const second = parse(gone, large(2), 'the body');
    gone.emit('close');
    await expect(second).rejects.toBeInstanceOf(Unavailable);
    expect(await first).toHaveLength(2);
  });

  test('does not keep its place when it cannot be read', async () => {
    const parse = parser();
    const faulty = parse(responseTo('ann'), large(1).slice(0, -1), 'the body');
    await expect(faulty).rejects.toThrow(/^the body is not valid JSON: /);
    expect(await parse(responseTo('ann'), large(2), 'the body')).toHaveLength(2);
  });
});

/** Characters of one to four bytes, which end at each remainder of the length of a step. */
const mixed = 'aé€😀'.repeat(60_000);

describe('JSON that is decoded in steps', () => {
  const parse = jsonParser(largeBodyTurns({ onWaited: () => {}, onRefused: () => {} }));

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('is the same after %s more bytes', async (more) => {
    const json = { [`${'x'.repeat(more)}`]: mixed, list: ['"', '\\', mixed] };
    const bytes = Buffer.from(JSON.stringify(json));
    expect(bytes.length).toBeGreaterThan(1_000_000);
    expect(await parse(responseTo('ann'), bytes, 'the body')).toEqual(json);
    const ascii = Buffer.from(JSON.stringify(['a'.repeat(400_000 + more), more]));
    expect(await parse(responseTo('ann'), ascii, 'the body')).toEqual(JSON.parse(ascii.toString()));
  });

  test.each([10, 300_000])('may begin with a byte order mark, with %s characters', async (length) => {
    const json = ['é'.repeat(length)];
    const bytes = Buffer.from(`\uFEFF${JSON.stringify(json)}`);
    expect(await parse(responseTo('ann'), bytes, 'the body')).toEqual(json);
  });
});

describe('§8 long bodies', () => {
  const server = useServer();
  const path = atPath(workspaces);
  const note = (text: string) =>
    documentBody({ name: 'long', type: 'Note', properties: { 'note:note': text } });

  test('are stored and returned unchanged', async () => {
    const { body } = await server.request.post(path).send(note(mixed)).set('properties', '*').expect(201);
    expect(body.properties['note:note']).toBe(mixed);
  });

  test('are 400 when they are not UTF-8', async () => {
    const bytes = Buffer.from(JSON.stringify(note(mixed)));
    bytes[bytes.indexOf('€') + 1] = 0x20;
    const answer = await fetch(`http://127.0.0.1:${await server.listen()}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: bytes,
    });
    expect([answer.status, (await answer.json()).message]).toEqual([
      400,
      'The body is not encoded in UTF-8.',
    ]);
  });

  test.each(['utf-16le', 'UTF-8'])('can be in the charset %s', async (charset) => {
    const encoding = charset === 'utf-16le' ? 'utf16le' : 'utf8';
    const answer = await fetch(`http://127.0.0.1:${await server.listen()}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': `application/json; charset=${charset}` },
      body: Buffer.from(JSON.stringify(note(mixed)), encoding),
    });
    expect(answer.status).toBe(201);
  });
});

describe('§8 large bodies of several users', () => {
  const server = useServer();
  const ann = useUser(server, 'ann', ['administrators']);

  test('are all accepted, and /metrics counts those that waited', async () => {
    const sent = [server.request, ann].flatMap((request, user) =>
      [1, 2, 3].map((mark) =>
        request
          .post(atPath(workspaces))
          .send(documentBody({ name: `large-${user}-${mark}`, type: 'Note', ignored: large(mark) }))
          .expect(201),
      ),
    );
    await Promise.all(sent);
    const { text } = await server.request.get('/metrics').expect(200);
    expect(text).toMatch(/^large_body_wait_seconds_count \d+$/m);
    expect(text).toMatch(/^large_bodies_refused_total 0$/m);
  });
});

describe('§8 bodies of /graphql', () => {
  const server = useServer();

  test.each(['[]', 'null', '1', '"{}"'])('are 400 when they are no JSON object: %s', async (text) => {
    const { body } = await server.request.post('/graphql').type('json').send(text).expect(400);
    expect(body.errors[0].extensions.code).toBe('INVALID');
  });

  test.each(['application/graphql', 'text/plain', 'application/x-www-form-urlencoded'])(
    'are 415 as %s',
    async (type) => {
      await server.request.post('/graphql').type(type).send('{ __typename }').expect(415);
    },
  );
});
