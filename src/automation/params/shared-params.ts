import { defaultPageSize } from '../../loaders/lists/page.ts';
import { date, flag, integer, longText, oneOf, text } from './kinds.ts';

/** Whether the change is saved. Only true is accepted, because every change is saved immediately. */
export const saveParam = flag.withDefault(
  true,
  'Whether the change is saved. Only true is supported, because every change is saved immediately.',
  {
    values: ['true'],
  },
);

export const propertyParams = {
  xpath: text.required('The property, or a location within one: dc:title, files:files/0/file.'),
  save: saveParam,
};

export const directoryParam = text.required('The name of the directory.');

export const aclParam = text.withDefault('local', 'The name of the ACL.');

/** The period in which an ACE is in effect, and whether and how the user is notified. */
export const aceTimeParams = {
  begin: date.optional('When it takes effect.'),
  end: date.optional('When it expires.'),
  notify: flag.withDefault(false, 'Whether the user is notified when it takes effect.'),
  comment: longText.optional('A comment for the user.'),
};

export const cursorParam = text.optional(
  'The nextCursor of the previous page, or * for the first page; overrides the other paging parameters.',
);

/** The paging parameters that `readPage` (loaders/lists/page.ts) reads. */
export const pageParams = {
  pageSize: integer.withDefault(
    defaultPageSize,
    'The maximum number of entries: up to 1000; 0 and -1 mean 1000.',
  ),
  currentPageIndex: integer.withDefault(0, 'The index of the page, from 0.'),
  cursor: cursorParam,
};

/**
 * Whether to create or to update. The store refuses to create something that already exists, or to update something
 * that does not exist.
 */
export const modeParam = oneOf('createOrUpdate', 'create', 'update').withDefault(
  'createOrUpdate',
  'create: it must not exist yet; update: it must exist; createOrUpdate: either.',
);

export const shouldCreate = (mode: 'createOrUpdate' | 'create' | 'update', exists: boolean): boolean =>
  mode === 'create' || (mode === 'createOrUpdate' && !exists);

export const definedFields = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
