import { describe, expect, test } from '@jest/globals';
import {
  later,
  type Position,
  readPosition,
  start,
  unknownPosition,
} from '../../../src/db/replicas/position.ts';

describe('§8 the later of two positions', () => {
  test('takes the time of a write whose time is unknown from the clock of the primary', () => {
    const unknown = unknownPosition();
    const told: Position = { lsn: 70, wroteAt: 0, at: unknown.at + 1, clock: 5_000 };
    for (const position of [later(unknown, told), later(told, unknown)])
      expect(position).toMatchObject({ lsn: 70, wroteAt: 5_000 });
  });

  test('stays unknown if the primary was asked for the other position earlier', () => {
    const unknown = unknownPosition();
    const told: Position = { lsn: 70, wroteAt: 60, at: unknown.at - 1, clock: 5_000 };
    for (const position of [later(unknown, told), later(told, unknown)])
      expect(position).toMatchObject({ lsn: unknown.lsn, wroteAt: 60 });
  });

  test('has the greater number of each pair if both positions are known', () => {
    const told: Position = { lsn: 70, wroteAt: 0, at: 10, clock: 5_000 };
    const carried = readPosition('60-4000') ?? start;
    for (const position of [later(carried, told), later(told, carried)])
      expect(position).toEqual({ lsn: 70, wroteAt: 4_000, at: 10, clock: 5_000 });
  });
});
