import type { Context } from '../context.ts';
import { type ChildrenPage, maxPageSize } from '../loaders/children.ts';
import { type DocumentRow, liveIdOf, versionLabel } from '../loaders/document-row.ts';
import type { Part } from '../loaders/states.ts';
import { type GivenPage, type PageShape, readPage } from '../pages/page.ts';
import { builder, Document, Documents } from './builder.ts';
import { pageCost } from './page.ts';

const partArguments = builder.args((t) => ({
  pageSize: t.int({ defaultValue: 50, description: 'At most 1000; 0 asks for as many.' }),
  currentPageIndex: t.int({ defaultValue: 0, description: 'From 0.' }),
  offset: t.int({ description: 'Entries before the first; stands instead of currentPageIndex.' }),
}));

/** A page of what shows a state of a document. */
async function page(
  row: DocumentRow,
  given: GivenPage,
  find: (liveId: string, part: Part) => Promise<ChildrenPage>,
): Promise<PageShape<DocumentRow>> {
  const { pageSize, offset } = readPage(given);
  const { rows, total } = await find(liveIdOf(row), { pageSize: pageSize || maxPageSize, offset });
  return { entries: rows, total, pageSize, offset, isSortable: false };
}

/** The document of an id, unless there is none. @throws Forbidden */
const other = (id: string | null, { load }: Context): Promise<DocumentRow | null> | null =>
  id === null ? null : load.documentById.load(id);

builder.objectFields(Document, (t) => ({
  versionLabel: t.string({
    nullable: true,
    description: 'As 1.2, or 1.2+ once it may have changed since; empty where there never was a version.',
    args: {
      ofVersionsAlone: t.arg.boolean({ defaultValue: false, description: 'Null for other documents.' }),
    },
    resolve: (row, { ofVersionsAlone }) => (ofVersionsAlone && !row.isVersion ? null : versionLabel(row)),
  }),
  isLatestVersion: t.boolean({
    nullable: true,
    description: 'Of a version: whether none was made after it.',
    resolve: (row) => (row.isVersion ? row.isLatestVersion : null),
  }),
  isLatestMajorVersion: t.boolean({
    nullable: true,
    description: 'Of a version: whether none with minor number 0 was made after it, and it is one.',
    resolve: (row) => (row.isVersion ? row.isLatestMajorVersion : null),
  }),
  versionCreated: t.string({
    nullable: true,
    description: 'Of a version: when it was made.',
    resolve: ({ versionCreated }) => versionCreated?.toISOString(),
  }),
  versionComment: t.exposeString('versionComment', {
    nullable: true,
    description: 'Of a version: what was said of it.',
  }),
  versionableId: t.exposeID('liveId', {
    nullable: true,
    description: 'Of a version and of a proxy: the live document.',
  }),
  proxyTargetId: t.exposeID('targetId', {
    nullable: true,
    description: 'Of a proxy: the version that it shows.',
  }),
  live: t.field({
    type: Document,
    nullable: true,
    description: 'Of a version and of a proxy: the document that it shows a state of.',
    resolve: (row, _, context) => other(row.liveId, context),
  }),
  proxyTarget: t.field({
    type: Document,
    nullable: true,
    description: 'Of a proxy: the version that it shows.',
    resolve: (row, _, context) => other(row.targetId, context),
  }),
  versions: t.field({
    type: Documents,
    description:
      'The history of the document, or of the one that this shows a state of: the last version first.',
    args: partArguments,
    complexity: pageCost,
    resolve: (row, given, { load }) => page(row, given, load.versions),
  }),
  proxies: t.field({
    type: Documents,
    description: 'Where the document, or the one that this shows a state of, is published: by path.',
    args: partArguments,
    complexity: pageCost,
    resolve: (row, given, { load }) => page(row, given, load.proxies),
  }),
}));
