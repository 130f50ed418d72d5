import { runInThisContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { AppError } from '../../src/errors.ts';
import { native } from './native.ts';

describe('A test file', () => {
  test('has the libraries of its process', () => {
    expect(pg.Client).toBe(native('pg').Client);
  });

  test('has the compiled modules of the server that its process has', () => {
    expect(AppError).toBe(native('dist/errors.js').AppError);
  });

  test('has the globals of its process', () => {
    expect(runInThisContext('globalThis')).toBe(globalThis);
    expect(runInThisContext('[]')).toBeInstanceOf(Array);
  });
});
