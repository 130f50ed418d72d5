/** @group own-modules */
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { AppError } from '../../src/errors.ts';
import { native } from './native.ts';

test('A test file of the group own-modules has modules of the server to itself, and shares libraries', async () => {
  expect((await native('dist/errors.js')).AppError).not.toBe(AppError);
  expect((await native('pg')).Client).toBe(pg.Client);
});
