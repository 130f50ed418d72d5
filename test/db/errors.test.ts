import { describe, expect, test } from '@jest/globals';
import { startFailureMessage, translateDatabaseError } from '../../src/db/errors.ts';
import { Conflict, DatabaseFull, Invalid, NotFound, TimedOut, Unavailable } from '../../src/errors.ts';

const withCode = (code: string, message = 'as the database says'): Error =>
  Object.assign(new Error(message), { code });

describe('translateDatabaseError', () => {
  test.each([
    ['57014', TimedOut],
    ['40001', Conflict],
    ['23503', Conflict],
    ['40P01', Conflict],
    ['P2034', Conflict],
    ['P1001', Unavailable],
    ['P2024', Unavailable],
    ['P2028', Unavailable],
    ['57P01', Unavailable],
    ['53200', Unavailable],
    ['53300', Unavailable],
    ['53100', DatabaseFull],
    ['58030', DatabaseFull],
    ['08006', Unavailable],
    ['ECONNREFUSED', Unavailable],
    ['ECONNRESET', Unavailable],
    ['ETIMEDOUT', Unavailable],
  ])('translates code %s to %p', (code, kind) => {
    const error = withCode(code);
    const translated = translateDatabaseError(error);
    expect(translated).toBeInstanceOf(kind);
    expect((translated as Error).cause).toBe(error);
    expect((translated as Error).message).not.toContain('as the database says');
  });

  test.each(['23505', '42P01', 'P2002', 'ENOENT', ''])('leaves an error with code "%s" unchanged', (code) => {
    const error = withCode(code);
    expect(translateDatabaseError(error)).toBe(error);
  });

  test.each([
    ['as the cause', new Error('outer', { cause: withCode('40P01') })],
    [
      'as the cause of a cause',
      new Error('outer', { cause: new Error('inner', { cause: withCode('40P01') }) }),
    ],
    ['in Prisma’s meta', Object.assign(new Error('P2010'), { code: 'P2010', meta: { code: '40P01' } })],
    [
      'in the error of the driver adapter',
      Object.assign(new Error('raw'), {
        meta: { driverAdapterError: { cause: { originalCode: '40P01', kind: 'postgres' } } },
      }),
    ],
    ['among several', new AggregateError([withCode('EHOSTUNREACH'), withCode('40P01')])],
  ])('finds the code %s', (_, error) => {
    expect(translateDatabaseError(error)).toBeInstanceOf(Conflict);
  });

  test.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Client has encountered a connection error and is not queryable',
  ])('translates the message "%s" to Unavailable', (message) => {
    expect(translateDatabaseError(new Error(message))).toBeInstanceOf(Unavailable);
  });

  test('leaves an error of the application unchanged, whatever its cause', () => {
    const error = new NotFound('/nowhere', { cause: withCode('40P01') });
    expect(translateDatabaseError(error)).toBe(error);
  });

  test.each([undefined, null, 'text', 7, {}, []])('leaves %j unchanged', (value) => {
    expect(translateDatabaseError(value)).toBe(value);
  });
});

describe('startFailureMessage', () => {
  test('adds the message of a system error to that of the application', () => {
    const cause = new AggregateError([withCode('ECONNREFUSED', 'connect ECONNREFUSED ::1:1')]);
    expect(startFailureMessage(cause)).toMatch(
      /^The database is not responding.*\nconnect ECONNREFUSED ::1:1$/,
    );
  });

  test('leaves out causes that the message already contains', () => {
    const cause = new Error('incorrect header check');
    const error = new Invalid(`a is no backup: ${cause.message}`, { cause });
    expect(startFailureMessage(error)).toBe('a is no backup: incorrect header check');
  });

  test('is the message of the database, without a stack', () => {
    const error = withCode('3D000', 'database "nowhere" does not exist');
    expect(startFailureMessage(error)).toBe('database "nowhere" does not exist');
  });

  test('is the message of an error of the application', () => {
    expect(startFailureMessage(new Unavailable('in use by process 7'))).toBe('in use by process 7');
  });

  test('is the whole stack of an unexpected error', () => {
    const error = new TypeError('x is not a function');
    expect(startFailureMessage(error)).toBe(error.stack);
    expect(startFailureMessage('text')).toBe('text');
  });
});
