import { oneOf } from './kinds.ts';
import { optionally } from './params.ts';

/** What is done with something that may be there or not: which of the two is right, the store says. */
export const modeParam = optionally(
  oneOf('createOrUpdate', 'create', 'update'),
  'createOrUpdate',
  'create: it must be new; update: it must be there; createOrUpdate: either.',
);

/** Whether something is created: where it must be new, or may be and is. */
export const isCreated = (mode: 'createOrUpdate' | 'create' | 'update', isThere: boolean): boolean =>
  mode === 'create' || (mode === 'createOrUpdate' && !isThere);

/** The fields that are given. */
export const given = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
