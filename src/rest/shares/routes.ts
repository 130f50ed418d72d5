import { call, input } from '../../selection/selection.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText } from '../request/body.ts';
import { addressedGuard } from '../rights-first.ts';
import { del, documentAddresses, get, partArguments, post, type Route } from '../route.ts';

/** The request body that creates a sharing link. */
const newShareLink = bodyReader(
  objectShape('NewShareLink', {
    'entity-type': entityTypeShape('shareLink'),
    mode: optionalText,
    end: optionalText,
    password: optionalText,
  }),
  ({ 'entity-type': _, ...link }) => link,
);

/**
 * The routes for sharing links, which open documents without an account, and for the documents that are shared with
 * the caller.
 */
export const shareRoutes: readonly Route[] = [
  ...documentAddresses.flatMap(({ at, by, document }): Route[] => [
    get(
      `${at}/@share`,
      ({ shareLinks }) => ({ document: call(document, { shareLinks: call(partArguments, shareLinks) }) }),
      {
        name: `getShareLinksBy${by}`,
        summary: 'List the links to a document, newest first',
        resultPath: ['document', 'shareLinks'],
      },
    ),
    post(
      `${at}/@share`,
      newShareLink,
      ({ createdShareLink }) => ({
        createShareLink: call({ ...document, link: input('body') }, createdShareLink),
      }),
      {
        name: `createShareLinkBy${by}`,
        summary: 'Create a link that opens a document without an account',
        description: 'Only this response contains the URL of the link, in `url`.',
        guard: addressedGuard('WriteSecurity'),
      },
    ),
  ]),
  get('/share', ({ shareLinks }) => ({ shareLinks: call(partArguments, shareLinks) }), {
    name: 'getShareLinks',
    summary: "List the caller's links (all users' links for administrators), newest first",
  }),
  del('/share/:id', () => ({ deleteShareLink: call({ id: input('address.id') }) }), {
    name: 'deleteShareLink',
    summary: 'Delete a link',
  }),
  get('/shared', (show) => ({ sharedDocuments: call(partArguments, show.documents) }), {
    name: 'getSharedDocuments',
    summary: "List the documents shared with the caller or one of the caller's groups by an ACE",
    forGuests: true,
    csv: 'documents',
  }),
];
