import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSecrets, tokenKeyFile, tokenKeyOf } from '../src/secrets.ts';

const secrets = createSecrets('one key', undefined);
const others = createSecrets('another key', undefined);

describe('what is derived', () => {
  test('is the same for the same parts, and other for any other purpose, parts or key', () => {
    const text = secrets.derive('a', 'x', 'y').toString('hex');
    expect(text).toMatch(/^[\da-f]{64}$/);
    expect(secrets.derive('a', 'x', 'y').toString('hex')).toBe(text);
    expect(createSecrets('one key', 'jwt').derive('a', 'x', 'y').toString('hex')).toBe(text);
    const unlike = [
      secrets.derive('b', 'x', 'y'),
      secrets.derive('a', 'xy'),
      secrets.derive('a', 'x', 'y', ''),
      secrets.derive('a', 'x","y'),
      others.derive('a', 'x', 'y'),
    ];
    for (const other of unlike) expect(other.toString('hex')).not.toBe(text);
  });
});

describe('what is sealed', () => {
  test('is opened by the same key for the same purpose alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sealed = secrets.seal('a', text);
        expect(secrets.open('a', sealed)).toBe(text);
        expect(secrets.open('b', sealed)).toBeUndefined();
        expect(others.open('a', sealed)).toBeUndefined();
        expect(secrets.seal('a', text)).not.toBe(sealed);
      }),
    );
  });

  test('is opened no more when a bit of it is changed', () => {
    const sealed = Buffer.from(secrets.seal('a', 'some text'), 'base64url');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(secrets.open('a', changed.toString('base64url'))).toBeUndefined();
    }
  });

  test('is nothing that anybody else made up', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(secrets.open('a', text)).toBeUndefined();
      }),
    );
  });
});

describe('TOKEN_KEY', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-secrets-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('that is given is taken, and no file is made', async () => {
    expect(await tokenKeyOf('given', folder)).toBe('given');
    expect(await readdir(folder)).toEqual([]);
  });

  test('that is not given is made once, also by several who start at once, and is for nobody else to read', async () => {
    const dataDir = join(folder, 'new');
    const keys = await Promise.all(Array.from({ length: 10 }, () => tokenKeyOf(undefined, dataDir)));
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0] ?? '', 'base64')).toHaveLength(32);
    expect(await readdir(dataDir)).toEqual(['token-key']);
    expect((await stat(tokenKeyFile(dataDir))).mode & 0o777).toBe(0o600);
    expect(await tokenKeyOf(undefined, dataDir)).toBe(keys[0]);
    expect(await readFile(tokenKeyFile(dataDir), 'utf8')).toBe(keys[0]);
  });

  test('of another folder is another one', async () => {
    expect(await tokenKeyOf(undefined, join(folder, 'one'))).not.toBe(
      await tokenKeyOf(undefined, join(folder, 'other')),
    );
  });

  test('that cannot be read stops the start', async () => {
    const dataDir = join(folder, 'unreadable');
    await tokenKeyOf(undefined, dataDir);
    await rm(tokenKeyFile(dataDir));
    await chmod(dataDir, 0o500);
    const isRoot = process.getuid?.() === 0; // whom nothing stops
    if (!isRoot) await expect(tokenKeyOf(undefined, dataDir)).rejects.toThrow('EACCES');
    await chmod(dataDir, 0o700);
    expect(await tokenKeyOf(undefined, dataDir)).toHaveLength(44);
  });
});
