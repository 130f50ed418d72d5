import { builder, Document, Documents } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import { requirePermission } from '../../loaders/acls/access.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import type { ShareLinkRow } from '../../loaders/shares/share-links.ts';
import { shareModes } from '../../security/share.ts';
import { type CreatedShareLink, createShareLink, deleteShareLink } from '../../store/shares/share-links.ts';
import { sharedDocument } from './share.ts';

type Shown = ShareLinkRow & Partial<Pick<CreatedShareLink, 'token'>>;

const modes = `${shareModes.slice(0, -1).join(', ')} or ${shareModes.at(-1)}`;

const ShareLink = builder.objectRef<Shown>('ShareLink');
ShareLink.implement({
  description: 'A link that gives access to a document and its descendants without an account.',
  fields: (t) => ({
    id: t.exposeID('id'),
    mode: t.exposeString('mode', { description: `What a guest can do: ${modes}.` }),
    document: t.field({
      type: Document,
      nullable: true,
      description: 'The document; null if the caller cannot read it.',
      resolve: (row, _, context) => sharedDocument(row, context),
    }),
    documentId: t.exposeID('documentId', { description: 'The id of the document.' }),
    title: t.string({
      nullable: true,
      description: 'The title of the document; null if the caller cannot read it.',
      resolve: async (row, _, context) => (await sharedDocument(row, context))?.title,
    }),
    end: t.string({ resolve: ({ endsAt }) => endsAt.toISOString() }),
    hasPassword: t.exposeBoolean('hasPassword', { description: 'Whether guests have to enter a password.' }),
    createdBy: t.exposeString('createdBy'),
    createdAt: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    opened: t.exposeInt('opened', { description: 'How many times the link has been opened.' }),
    lastOpenedAt: t.string({
      nullable: true,
      description: 'The time at which the link was last opened.',
      resolve: ({ lastOpenedAt }) => lastOpenedAt?.toISOString(),
    }),
    url: t.string({
      nullable: true,
      description: 'The URL to share. Only the response that creates the link contains it.',
      resolve: ({ token }, _, { options: { links } }) => (token === undefined ? null : links.share(token)),
    }),
  }),
});

const ShareLinks = builder.objectRef<PageShape<ShareLinkRow>>('ShareLinks');
implementPage(ShareLinks, ShareLink, 'A page of links.');

builder.objectField(Document, 'shareLinks', (t) =>
  t.field({
    type: ShareLinks,
    description: 'The links to the document, newest first; requires WriteSecurity.',
    args: fixedOrderPageArguments,
    complexity: pageCost,
    resolve: async (row, args, context) => {
      await requirePermission(context, row, 'WriteSecurity');
      return fixedOrderPage(args, (page) => context.load.shareLinks({ documentId: row.id }, page));
    },
  }),
);

builder.queryFields((t) => ({
  shareLinks: t.field({
    type: ShareLinks,
    description: "The links that the caller has created, newest first; for administrators, all users' links.",
    args: fixedOrderPageArguments,
    complexity: pageCost,
    resolve: (_, args, { load, user }) =>
      fixedOrderPage(args, (page) =>
        load.shareLinks(user.isAdministrator ? {} : { createdBy: user.id }, page),
      ),
  }),
  sharedDocuments: t.field({
    type: Documents,
    description:
      "The documents shared with the caller or one of the caller's groups by an ACE, ordered by title.",
    args: fixedOrderPageArguments,
    complexity: pageCost,
    resolve: (_, args, { load }) => fixedOrderPage(args, load.sharedDocuments),
  }),
}));

const ShareLinkInput = builder.inputType('ShareLinkInput', {
  fields: (t) => ({
    mode: t.string({ description: `What a guest can do: ${modes}; defaults to read.` }),
    end: t.string({ description: 'The time at which the link expires; defaults to 30 days from now.' }),
    password: t.string({ description: 'A password that guests have to enter.' }),
  }),
});

builder.mutationFields((t) => ({
  createShareLink: t.field({
    type: ShareLink,
    description: 'Creates a link to a document. Requires WriteSecurity on it.',
    args: { id: t.arg.id(), path: t.arg.string(), link: t.arg({ type: ShareLinkInput, required: true }) },
    resolve: (_, { id, path, link }, context) => createShareLink(context, { id, path }, link),
  }),
  deleteShareLink: t.id({
    description: 'Deletes a link and returns its id. Requires WriteSecurity on the document.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => deleteShareLink(context, String(id)),
  }),
}));
