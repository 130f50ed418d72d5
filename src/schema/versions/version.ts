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

/**
 * Loads a related document, if there is one.
 * @throws Forbidden
 */
const other = (id: string | null, { load }: Context): Promise<DocumentRow | null> | null =>
  id === null ? null : load.documentById.load(id);

builder.objectFields(Document, (t) => ({
  versionLabel: t.string({
    nullable: true,
    description:
      'The version label, such as 1.2, or 1.2+ if the document has changed since; empty if there are no versions.',
    args: {
      ofVersionsAlone: t.arg.boolean({
        defaultValue: false,
        description: 'Whether the label is null for documents that are not versions.',
      }),
    },
    resolve: (row, { ofVersionsAlone }) => (ofVersionsAlone && !row.isVersion ? null : versionLabel(row)),
  }),
  isLatestVersion: t.boolean({
    nullable: true,
    description: 'Whether the version is the latest one; null for other documents.',
    resolve: (row) => (row.isVersion ? row.isLatestVersion : null),
  }),
  isLatestMajorVersion: t.boolean({
    nullable: true,
    description: 'Whether the version is the latest major one; null for other documents.',
    resolve: (row) => (row.isVersion ? row.isLatestMajorVersion : null),
  }),
  versionCreated: t.string({
    nullable: true,
    description: 'The time at which the version was created; null for other documents.',
    resolve: ({ versionCreated }) => versionCreated?.toISOString(),
  }),
  versionComment: t.exposeString('versionComment', {
    nullable: true,
    description: 'The check-in comment of the version; null for other documents.',
  }),
  versionableId: t.exposeID('liveId', {
    nullable: true,
    description: 'The live document of a version or a proxy; null for other documents.',
  }),
  proxyTargetId: t.exposeID('targetId', {
    nullable: true,
    description: 'The version that the proxy shows; null for other documents.',
  }),
  live: t.field({
    type: Document,
    nullable: true,
    description: 'The live document of a version or a proxy; null for other documents.',
    resolve: (row, _, context) => other(row.liveId, context),
  }),
  proxyTarget: t.field({
    type: Document,
    nullable: true,
    description: 'The version that the proxy shows; null for other documents.',
    resolve: (row, _, context) => other(row.targetId, context),
  }),
  versions: t.field({
    type: Documents,
    description: 'The versions of the live document, newest first.',
    args: fixedOrderPageArguments,
    complexity: pageCost,
    resolve: (row, args, { load }) => fixedOrderPage(args, (page) => load.versions(liveIdOf(row), page)),
  }),
  proxies: t.field({
    type: Documents,
    description: 'The proxies of the live document, sorted by path.',
    args: fixedOrderPageArguments,
    complexity: pageCost,
    resolve: (row, args, { load }) => fixedOrderPage(args, (page) => load.proxies(liveIdOf(row), page)),
  }),
}));

const VersionIncrement = builder.enumType('VersionIncrement', {
  description: 'Which part of the version number is incremented.',
  values: ['MINOR', 'MAJOR'] as const,
});

const addressed = builder.args((t) => ({ ...preconditionArguments, id: t.id(), path: t.string() }));

builder.mutationFields((t) => ({
  createVersion: t.field({
    type: Document,
    description: 'Creates a version of a document, even if it is checked in, and returns the version.',
    args: {
      ...addressed,
      increment: t.arg({ type: VersionIncrement, required: true }),
      comment: t.arg.string({ description: 'The check-in comment.' }),
    },
    resolve: async (_, { id, path, increment, comment, ifMatch, ifNoneMatch }, context) => {
      const args = { increment, comment: comment ?? undefined };
      const version = await makeVersion(context, { id, path }, args, { ifMatch, ifNoneMatch });
      return redactUnreadable(context.load.access, version);
    },
  }),
  restoreVersion: t.field({
    type: Document,
    description: 'Restores a document to one of its versions, and returns the document.',
    args: { ...addressed, version: t.arg.id({ required: true, description: 'The id of the version.' }) },
    resolve: async (_, { id, path, version, ifMatch, ifNoneMatch }, context) => {
      const options = { of: { id, path }, conditions: { ifMatch, ifNoneMatch } };
      return redactUnreadable(context.load.access, await restoreVersion(context, { id: version }, options));
    },
  }),
  publishDocument: t.field({
    type: Document,
    description: 'Publishes a document in a section, and returns its proxy there.',
    args: {
      ...addressed,
      target: t.arg.id({ required: true, description: 'The section, by its id or path.' }),
      override: t.arg.boolean({
        defaultValue: true,
        description: 'Whether an existing proxy is updated; otherwise another one is added.',
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
