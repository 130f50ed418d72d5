/** @group own-modules */
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { AppError } from '../../src/errors.ts';
import { native } from './native.ts';

test('A test file of the group own-modules has modules of the server to itself, and shares libraries', () => {
  expect(AppError).not.toBe(native('dist/errors.js').AppError);
  expect(pg.Client).toBe(native('pg').Client);
});
