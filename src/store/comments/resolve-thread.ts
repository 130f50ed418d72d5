import { Forbidden, Invalid } from '../../errors.ts';
import { createAccess } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { commentDepth } from '../../model/comments/comment-tree.ts';
import type { Scope } from '../../scope.ts';
import { changeByServer } from '../documents/change-by-server.ts';

/** The facet of the first comment of a thread that is resolved. Its schema says by whom and when. */
export const resolvedFacet = 'Resolved';

/** Whether a comment is the first of a thread that is resolved. */
export const isResolved = ({ facets }: Pick<DocumentRow, 'facets'>): boolean =>
  facets.includes(resolvedFacet);

/**
 * Resolves or reopens the thread that begins with a comment, whose row is locked. Nothing changes if the thread already
 * is in that state.
 * @throws Invalid for a reply; Forbidden unless the caller started the thread or can write the document
 */
export async function resolveThread(
  scope: Scope,
  document: DocumentRow,
  row: DocumentRow,
  resolved: boolean,
): Promise<DocumentRow> {
  if (commentDepth(row) !== 1)
    throw new Invalid(`Only the first comment of a thread can be resolved; ${row.id} is a reply.`);
  const isAuthor = row.properties['comment:author'] === scope.user.id;
  if (!isAuthor && !(await createAccess(scope).may(document, 'WriteProperties')))
    throw new Forbidden(
      `Only the author of the comment ${row.id} and users who can write the document can ${resolved ? 'resolve' : 'reopen'} the thread.`,
    );
  if (isResolved(row) === resolved) return row;
  const others = row.facets.filter((facet) => facet !== resolvedFacet);
  const facets = resolved ? [...others, resolvedFacet] : others;
  const properties = {
    'resolution:by': resolved ? scope.user.id : null,
    'resolution:date': resolved ? new Date().toISOString() : null,
  };
  const eventId = resolved ? 'commentResolved' : 'commentReopened';
  const [changed] = await changeByServer(scope, [{ row, facets, properties }], () => [
    { eventId, document, extended: { commentId: row.id } },
  ]);
  return changed ?? row;
}
