import { describe, expect, test } from '@jest/globals';
import { read } from '../house/tree.ts';
import { startServer, useServer } from '../support/server.ts';

const server = useServer();

const rows = read('SECURITY.md')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

describe('The table in SECURITY.md', () => {
  test('compares each requirement once, as satisfied, to be set, or different', () => {
    expect(rows.length).toBeGreaterThan(40);
    for (const row of rows) expect(row).toHaveLength(4);
    const numbers = rows.flatMap(([number = '']) => number.split(', '));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(new Set(rows.map(([, , state]) => state))).toEqual(new Set(['yes', 'set', 'differs']));
  });

  test('names headers that a response of REST has with these values, and none that reveals a version', async () => {
    const { headers } = await server.request.get('/api/v1/path/default-domain').expect(200);
    const named = rows.flatMap(([, , , how = '']) => [...how.matchAll(/`([A-Z][\w-]+): ([^`]+)`/g)]);
    const ofData = named.filter(
      ([, name, value]) => name !== 'Content-Security-Policy' || value !== 'sandbox',
    );
    expect(ofData.map(([, name]) => name).sort()).toEqual([
      'Cache-Control',
      'Referrer-Policy',
      'X-Content-Type-Options',
    ]);
    for (const [, name = '', value] of ofData)
      expect([name, headers[name.toLowerCase()]]).toEqual([name, value]);
    expect(headers['content-type']).toMatch(/^application\/json; charset=utf-8/);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('names settings that exist', () => {
    const settings = read('.env.example');
    const named = rows.flatMap(([, , , how = '']) => [
      ...how.matchAll(/`([A-Z][A-Z]+_[A-Z_]+)(?:=[^`]*)?`/g),
    ]);
    expect(named.length).toBeGreaterThan(10);
    for (const [, name = ''] of named) expect(settings).toContain(`${name}=`);
  });

  test('is right that uploaded pages cannot run scripts, and that session cookies are protected', async () => {
    await using proxied = await startServer({
      PUBLIC_URL: 'https://quire.example.org',
      ADMIN_PASSWORD: 'not the default',
    });
    const { headers } = await proxied.request
      .post('/login')
      .send({ username: 'Administrator', password: 'Administrator' })
      .expect(204);
    expect(String(headers['set-cookie'])).toMatch(/quire-session=[^;]+;.*HttpOnly; Secure; SameSite=Strict/);
  });
});
