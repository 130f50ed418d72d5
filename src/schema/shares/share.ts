import { builder, Document } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import type { Context } from '../../loaders/context.ts';
import { loadReadable } from '../../loaders/documents/documents.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import type { ShareRow } from '../../loaders/shares/shares.ts';
import { shownName } from '../../security/acl.ts';
import { type ShareMode, sharePermissions } from '../../security/share.ts';
import { revokeShare } from '../../store/shares/share-links.ts';

/** Returns the document of a link or a guest; undefined if the caller cannot read it. */
export const sharedDocument = async (
  { documentId }: Pick<ShareRow, 'documentId'>,
  { load }: Pick<Context, 'load'>,
) => (await loadReadable(load.documentById, [documentId]))[0];

const Share = builder.objectRef<ShareRow>('Share');
Share.implement({
  description: 'A link, or a guest with an email address, that can open a document without an account.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The argument of `revokeShare`.' }),
    guest: t.string({
      nullable: true,
      description: 'The email address of the guest; null for a link.',
      resolve: ({ guest }) => guest && shownName(guest),
    }),
    mode: t.exposeString('mode', { nullable: true, description: 'The mode of the link; null for a guest.' }),
    permissions: t.stringList({
      description: 'The permissions that the link or the guest has.',
      resolve: ({ mode, permissions }) => [
        ...(mode === null ? permissions : sharePermissions[mode as ShareMode]),
      ],
    }),
    document: t.field({
      type: Document,
      nullable: true,
      description: 'The document; null if the caller cannot read it.',
      resolve: (row, _, context) => sharedDocument(row, context),
    }),
    documentId: t.exposeID('documentId', { description: 'The id of the document.' }),
    end: t.string({
      nullable: true,
      description: 'The time from which the document cannot be opened any more.',
      resolve: ({ endsAt }) => endsAt?.toISOString(),
    }),
    hasEnded: t.boolean({
      description: 'Whether the document cannot be opened any more.',
      resolve: ({ endsAt }) => endsAt !== null && endsAt.getTime() <= Date.now(),
    }),
    hasPassword: t.exposeBoolean('hasPassword', { description: 'Whether guests have to enter a password.' }),
    createdBy: t.exposeString('createdBy', { nullable: true }),
    createdAt: t.string({
      nullable: true,
      description: 'The time at which the link was created; null for a guest.',
      resolve: ({ createdAt }) => createdAt?.toISOString(),
    }),
    opened: t.exposeInt('opened', {
      nullable: true,
      description: 'How many times the link has been opened; null for a guest.',
    }),
    lastOpenedAt: t.string({
      nullable: true,
      description: 'The time at which the link was last opened.',
      resolve: ({ lastOpenedAt }) => lastOpenedAt?.toISOString(),
    }),
  }),
});

const Shares = builder.objectRef<PageShape<ShareRow>>('Shares');
implementPage(Shares, Share, 'A page of links and guests.');

builder.queryField('shares', (t) =>
  t.field({
    type: Shares,
    description:
      'The links and guests that the caller has created, those with the latest end first; for administrators, those of all users.',
    args: {
      ...fixedOrderPageArguments,
      isOwn: t.arg.boolean({ description: 'Whether administrators, too, get only their own.' }),
    },
    complexity: pageCost,
    resolve: (_, { isOwn, ...page }, { load, user }) =>
      fixedOrderPage(page, (part) =>
        load.shares(user.isAdministrator && !isOwn ? {} : { createdBy: user.id }, part),
      ),
  }),
);

builder.mutationField('revokeShare', (t) =>
  t.id({
    description:
      'Ends what a link or a guest can open, and returns the id. Requires WriteSecurity on the document.',
    args: { id: t.arg.id({ required: true, description: 'The id in the list of shares.' }) },
    resolve: (_, { id }, context) => revokeShare(context, String(id)),
  }),
);
