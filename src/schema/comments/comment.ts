import { builder, User } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import { mentionedUsers, readersAmong } from '../../loaders/comments/mentions.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import { nameSeenBy } from '../../security/acl.ts';
import { isResolved } from '../../store/comments/resolve-thread.ts';

const text = (row: DocumentRow, xpath: string): string | null => {
  const value = row.properties[xpath];
  return typeof value === 'string' ? value : null;
};

const author = (row: DocumentRow): string => text(row, 'comment:author') ?? '';

async function permissionsOn(row: DocumentRow, { load, user }: Context): Promise<string[]> {
  const mayChange =
    user.isAdministrator || author(row) === user.id || (await load.access.may(row, 'Everything'));
  return mayChange ? ['Everything'] : load.access.permissionsOn(row);
}

const nameOrNull = (user: Context['user'], id: string | null): string | null =>
  id === null ? null : nameSeenBy(user, id);

async function mentionsWithoutAccess(row: DocumentRow, context: Context): Promise<string[] | null> {
  if (author(row) !== context.user.id) return null;
  const users = await mentionedUsers(context.load.userById, text(row, 'comment:text'), author(row));
  // The ACL of a comment grants Read to everybody who can read its document.
  const readers = new Set(await readersAmong(context, row, users));
  const others = users.filter((user) => !readers.has(user)).map(({ id }) => id);
  return others.length > 0 ? others : null;
}

export const Comments = builder.objectRef<PageShape<DocumentRow>>('Comments');

const WrittenComment = builder.interfaceRef<DocumentRow>('WrittenComment').implement({
  description: 'A comment or an annotation.',
  fields: (t) => ({
    id: t.exposeID('id'),
    parentId: t.id({
      description: 'The id of the document that the comment is about, or of the comment that it replies to.',
      resolve: (row) => text(row, 'comment:parentId') ?? '',
    }),
    ancestorIds: t.idList({
      description:
        'The ids of the document and of all comments from there to the one that this comment replies to.',
      resolve: ({ properties }) => (properties['comment:ancestorIds'] as string[] | undefined) ?? [],
    }),
    author: t.string({ resolve: (row, _, { user }) => nameSeenBy(user, author(row)) }),
    authorUser: t.field({
      type: User,
      nullable: true,
      resolve: (row, _, { load }) => load.userById.load(author(row)),
    }),
    text: t.string({ nullable: true, resolve: (row) => text(row, 'comment:text') }),
    creationDate: t.string({ nullable: true, resolve: (row) => text(row, 'comment:creationDate') }),
    modificationDate: t.string({
      nullable: true,
      resolve: (row) => {
        const date = text(row, 'comment:modificationDate');
        return date === text(row, 'comment:creationDate') ? null : date;
      },
    }),
    entityId: t.string({
      nullable: true,
      description: 'The id of the comment in another application.',
      resolve: (row) => text(row, 'externalEntity:entityId'),
    }),
    origin: t.string({
      nullable: true,
      description: 'The name of the other application.',
      resolve: (row) => text(row, 'externalEntity:origin'),
    }),
    entity: t.string({
      nullable: true,
      description: 'The comment as the other application represents it.',
      resolve: (row) => text(row, 'externalEntity:entity'),
    }),
    resolved: t.boolean({
      nullable: true,
      description: 'True for the first comment of a thread that is resolved; otherwise null.',
      resolve: (row) => isResolved(row) || null,
    }),
    resolvedBy: t.string({
      nullable: true,
      description: 'The user who resolved the thread.',
      resolve: (row, _, { user }) => nameOrNull(user, text(row, 'resolution:by')),
    }),
    resolvedDate: t.string({
      nullable: true,
      description: 'The time at which the thread was resolved.',
      resolve: (row) => text(row, 'resolution:date'),
    }),
    mentions: t.field({
      type: [User],
      description: 'The users whom the text mentions as `@username`, in the order of the text.',
      resolve: (row, _, { load }) => mentionedUsers(load.userById, text(row, 'comment:text'), author(row)),
    }),
    mentionsWithoutAccess: t.stringList({
      nullable: true,
      description:
        'The mentioned users who cannot read the document and are not notified; null if there are none, and for everybody except the author.',
      resolve: (row, _, context) => mentionsWithoutAccess(row, context),
    }),
    permissions: t.stringList({
      description: "The caller's permissions: Everything if the caller can change and delete the comment.",
      resolve: (row, _, context) => permissionsOn(row, context),
    }),
    numberOfReplies: t.int({
      resolve: async ({ id }, _, { load }) => (await load.repliesSummary.load(id))?.count ?? 0,
    }),
    lastReplyDate: t.string({
      nullable: true,
      resolve: async ({ id }, _, { load }) => (await load.repliesSummary.load(id))?.last,
    }),
    replies: t.field({
      type: Comments,
      description: 'The replies, newest first.',
      args: fixedOrderPageArguments,
      complexity: pageCost,
      resolve: (row, page, { load }) =>
        fixedOrderPage(page, (part) =>
          load.comments({ kind: 'Comment' }, { ...part, hasSharedLimit: true }, row),
        ),
    }),
  }),
});

export const Comment = builder.objectRef<DocumentRow>('Comment');
Comment.implement({
  description: 'A comment on a document, or a reply to another comment.',
  interfaces: [WrittenComment],
});

export const Annotation = builder.objectRef<DocumentRow>('Annotation');
Annotation.implement({
  description: 'A comment on a part of a document.',
  interfaces: [WrittenComment],
  fields: (t) => ({
    xpath: t.string({ nullable: true, resolve: (row) => text(row, 'annotation:xpath') }),
  }),
});

implementPage(Comments, Comment, 'A page of comments.');
export const Annotations = builder.objectRef<PageShape<DocumentRow>>('Annotations');
implementPage(Annotations, Annotation, 'A page of annotations.');
