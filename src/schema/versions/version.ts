import { referenceTo } from '../../automation/documents/document-at.ts';
import { builder, Document, Documents } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, pageCost } from '../../graphql/page.ts';
import { redactUnreadable } from '../../loaders/acls/access.ts';
import type { Context } from '../../loaders/context.ts';
import { type DocumentRow, liveIdOf, versionLabel } from '../../loaders/documents/document-row.ts';
import { makeVersion } from '../../store/versions/check-in.ts';
import { publish } from '../../store/versions/publish.ts';
import { restoreVersion } from '../../store/versions/restore-version.ts';
import { preconditionArguments } from '../documents/precondition-arguments.ts';

/** Loads a related document, if there is one. @throws Forbidden */
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

const VersionIncrement = builder.enumType('VersionIncrement', {
  description: 'The number of a new version that is incremented.',
  values: ['MINOR', 'MAJOR'] as const,
});

const addressed = builder.args((t) => ({ ...preconditionArguments, id: t.id(), path: t.string() }));

builder.mutationFields((t) => ({
  createVersion: t.field({
    type: Document,
    description: 'Makes a version of a document, even if it is checked in, and answers the version.',
    args: {
      ...addressed,
      increment: t.arg({ type: VersionIncrement, required: true }),
      comment: t.arg.string({ description: 'That of the check-in.' }),
    },
    resolve: async (_, { id, path, increment, comment, ifMatch, ifNoneMatch }, context) => {
      const given = { increment, comment: comment ?? undefined };
      const version = await makeVersion(context, { id, path }, given, { ifMatch, ifNoneMatch });
      return redactUnreadable(context.load.access, version);
    },
  }),
  restoreVersion: t.field({
    type: Document,
    description: 'Restores a document to one of its versions, and answers the document.',
    args: { ...addressed, version: t.arg.id({ required: true, description: 'The id of the version.' }) },
    resolve: async (_, { id, path, version, ifMatch, ifNoneMatch }, context) => {
      const options = { of: { id, path }, conditions: { ifMatch, ifNoneMatch } };
      return redactUnreadable(context.load.access, await restoreVersion(context, { id: version }, options));
    },
  }),
  publishDocument: t.field({
    type: Document,
    description: 'Publishes a document in a section, and answers its proxy there.',
    args: {
      ...addressed,
      target: t.arg.id({ required: true, description: 'The section, by its id or path.' }),
      override: t.arg.boolean({
        defaultValue: true,
        description: 'Whether an existing proxy is updated instead of adding another one.',
      }),
    },
    resolve: async (_, { id, path, target, override, ifMatch, ifNoneMatch }, context) => {
      const conditions = { ifMatch, ifNoneMatch };
      const [proxy] = await publish(
        context,
        { id, path },
        [referenceTo(target)],
        override !== false,
        conditions,
      );
      return redactUnreadable(context.load.access, proxy as DocumentRow);
    },
  }),
}));
