import { builder, Document, Documents } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, pageCost } from '../../graphql/page.ts';
import type { Context } from '../../loaders/context.ts';
import { type DocumentRow, liveIdOf, versionLabel } from '../../loaders/documents/document-row.ts';

/** @throws Forbidden */
const other = (id: string | null, { load }: Context): Promise<DocumentRow | null> | null =>
  id === null ? null : load.documentById.load(id);

builder.objectFields(Document, (t) => ({
  versionLabel: t.string({
    nullable: true,
    description: 'For example 1.2, or 1.2+ when checked out since; empty without versions.',
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
    description: 'Of a version: the comment of the check-in.',
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
    description: 'Of a version and of a proxy: the live document.',
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
    description: 'Versions of the live document, the newest first.',
    args: fixedOrderPageArguments,
    complexity: pageCost,
    resolve: (row, given, { load }) => fixedOrderPage(given, (page) => load.versions(liveIdOf(row), page)),
  }),
  proxies: t.field({
    type: Documents,
    description: 'Proxies of the live document, by path.',
    args: fixedOrderPageArguments,
    complexity: pageCost,
    resolve: (row, given, { load }) => fixedOrderPage(given, (page) => load.proxies(liveIdOf(row), page)),
  }),
}));
