import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSecrets, tokenKeyOf } from '../src/secrets.ts';
import { newFolder } from './support/folder.ts';

const secrets = createSecrets('one key', undefined);
const others = createSecrets('another key', undefined);

describe('a derived secret', () => {
  test('is the same for the same parts, and differs by purpose, parts and key', () => {
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

describe('a sealed text', () => {
  test('is opened only by the same key and for the same purpose', () => {
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

  test('is not opened after a change of any bit', () => {
    const sealed = Buffer.from(secrets.seal('a', 'some text'), 'base64url');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(secrets.open('a', changed.toString('base64url'))).toBeUndefined();
    }
  });

  test('is the same whether it is sealed and opened in one turn or in several', async () => {
    for (const length of [0, 1, 131_070, 131_072, 131_074, 400_000]) {
      const text = 'aé€😀'.repeat(length / 4) + 'x'.repeat(length % 4);
      const sealed = [secrets.seal('a', text), await secrets.sealInTurns('a', text)];
      for (const one of sealed) {
        expect(secrets.open('a', one)).toBe(text);
        expect(await secrets.openInTurns('a', one)).toBe(text);
        expect(await secrets.openInTurns('b', one)).toBeUndefined();
      }
    }
  });

  test('cannot be forged', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(secrets.open('a', text)).toBeUndefined();
      }),
    );
  });
});

describe('TOKEN_KEY', () => {
  const folder = newFolder();

  test('is used when it is set, and no file is created', async () => {
    expect(await tokenKeyOf('given', folder)).toBe('given');
    expect(await readdir(folder)).toEqual([]);
  });

  test('is created once when it is not set, also concurrently, and only its owner can read it', async () => {
    const dataDir = join(folder, 'new');
    const keys = await Promise.all(Array.from({ length: 10 }, () => tokenKeyOf(undefined, dataDir)));
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0] ?? '', 'base64')).toHaveLength(32);
    expect(await readdir(dataDir)).toEqual(['token-key']);
    expect((await stat(join(dataDir, 'token-key'))).mode & 0o777).toBe(0o600);
    expect(await tokenKeyOf(undefined, dataDir)).toBe(keys[0]);
    expect(await readFile(join(dataDir, 'token-key'), 'utf8')).toBe(keys[0]);
  });

  test('differs in another folder', async () => {
    expect(await tokenKeyOf(undefined, join(folder, 'one'))).not.toBe(
      await tokenKeyOf(undefined, join(folder, 'other')),
    );
  });

  test('that cannot be read aborts the start', async () => {
    const dataDir = join(folder, 'unreadable');
    await tokenKeyOf(undefined, dataDir);
    await rm(join(dataDir, 'token-key'));
    await chmod(dataDir, 0o500);
    const isRoot = process.getuid?.() === 0; // root ignores file modes
    if (!isRoot) await expect(tokenKeyOf(undefined, dataDir)).rejects.toThrow('EACCES');
    await chmod(dataDir, 0o700);
    expect(await tokenKeyOf(undefined, dataDir)).toHaveLength(44);
  });
});
