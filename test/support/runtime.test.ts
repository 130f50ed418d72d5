import { runInThisContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { AppError } from '../../src/errors.ts';
import { native } from './native.ts';

describe('A test file', () => {
  test('has the libraries of its process', async () => {
    expect((await native('pg')).Client).toBe(pg.Client);
  });

  test('has the compiled modules of the server that its process has', async () => {
    expect((await native('dist/errors.js')).AppError).toBe(AppError);
  });

  test('has the globals of its process', () => {
    expect(runInThisContext('globalThis')).toBe(globalThis);
    expect(runInThisContext('[]')).toBeInstanceOf(Array);
  });
});
