/** @group slow */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { quire } from './cli/run-quire.ts';
import { processSettings, run, serve, useProcessSettings } from './db/processes.ts';
import { newFolder } from './support/folder.ts';

const settings = useProcessSettings();

describe('a server that cannot start exits with 1 and prints no stack', () => {
  const failing = async (more: Record<string, string>): Promise<string> => {
    const { ended, printed } = run('src/serve.ts', { ...settings, PORT: '0', ...more });
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(printed.err).toMatch(/^Quire cannot start:\n/);
    expect(printed.err).not.toMatch(/^ {4}at /m);
    return printed.err;
  };

  test('for faults of the configuration, all reported together', async () => {
    const faulty = { PORT: 'x', TRANSACTION_TIMEOUT: '0', LOG_LEVEL: 'loud', CONTEXT_PATH: 'nuxeo/' };
    const said = await failing({ ...faulty, HOST: '0.0.0.0' });
    for (const name of [...Object.keys(faulty), 'ADMIN_PASSWORD'])
      expect(said).toMatch(new RegExp(`^${name}\\b`, 'm'));
  });

  test('for a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      expect(await failing({ PORT: String(port) })).toContain(`Port ${port} of 127.0.0.1 is in use`);
    } finally {
      other.close();
    }
  });

  test('for a database that does not answer', async () => {
    const said = await failing({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nowhere' });
    expect(said).toContain('ECONNREFUSED');
    expect(said).not.toContain('secret');
  });

  test('for a model that cannot be read', async () => {
    const nowhere = join(newFolder(), 'nowhere');
    expect(await failing({ MODEL_DIR: nowhere })).toContain(nowhere);
  });

  test.each([
    ['administrator', 'The user Administrator exists'],
    ['Members', 'The group members exists'],
    ['system', '"system" is a reserved name'],
  ])('for the ADMIN_USERNAME %s, which no new user can have', async (ADMIN_USERNAME, fault) => {
    await using stocked = await processSettings({ isStocked: true });
    expect(await failing({ ...stocked.settings, ADMIN_USERNAME })).toContain(`ADMIN_USERNAME: ${fault}`);
  });

  test('for the default password in the database where others reach it, until it is changed', async () => {
    await using stocked = await processSettings({ isStocked: true });
    const exposed = { ...stocked.settings, ADMIN_PASSWORD: 'A-Real-Strong-One' };
    // Another administrator of the settings leaves the first one as it is.
    const said = await failing({ ...exposed, TRUST_PROXY: '1', ADMIN_USERNAME: 'root' });
    expect(said).toContain('the stored password of Administrator is the default one');
    expect(said).toContain('HOST=127.0.0.1');
    const changed = await quire(['user', 'password', 'Administrator'], stocked.settings, 'changed');
    expect(changed).toMatchObject({ code: 0 });
    await using server = await serve({ ...exposed, NODE_ENV: 'production' });
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  });
});
