/** @group every-database */

import { describe, expect, test } from '@jest/globals';
import { emptyDatabase, stockedDatabase } from '../support/database.ts';

describe('The migrations', () => {
  test('create exactly the tables of schema.prisma', async () => {
    await using stocked = await stockedDatabase();
    expect(await stocked.drift()).not.toMatch(/\b(CREATE|ALTER|DROP)\b/);
  });

  test('are applied in order, and once', async () => {
    await using empty = await emptyDatabase();
    expect(await empty.drift()).toMatch(/CREATE TABLE "document"/);
    const names = await empty.database.migrate();
    expect(names[0]).toMatch(/^\d{14}_baseline$/);
    expect(names).toEqual([...names].sort());
    expect(await empty.database.migrate()).toEqual([]);
    expect(await empty.drift()).not.toMatch(/\b(CREATE|ALTER|DROP)\b/);
  });

  test('are refused on a database that is not empty, whose tables stay', async () => {
    await using empty = await emptyDatabase();
    const { database: foreign } = empty;
    await foreign.prisma.$executeRawUnsafe('CREATE TABLE document (x integer)');
    await expect(foreign.migrate()).rejects.toThrow(/not empty/);
    await foreign.prisma.$executeRawUnsafe('INSERT INTO document VALUES (1)');
  });

  test('a database that lacks a column of schema.prisma has drift', async () => {
    await using older = await emptyDatabase();
    await older.database.migrate();
    await older.database.prisma.$executeRawUnsafe('ALTER TABLE document DROP COLUMN state CASCADE');
    expect(await older.drift()).toMatch(/ADD COLUMN\s+"state"/);
  });
});
