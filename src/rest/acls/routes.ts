import { z } from 'zod';
import { call, input, queryArguments } from '../../selection/selection.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText, requiredText } from '../request/body.ts';
import { addressedGuard } from '../rights-first.ts';
import { del, documentAddresses, get, post, preconditions, type Route } from '../route.ts';

const flag = z.boolean('must be true or false').nullish();

/** The request body for a new ACE (§2.5). */
const newAce = bodyReader(
  objectShape('NewAce', {
    'entity-type': entityTypeShape('ace').nullish(),
    acl: optionalText,
    username: requiredText,
    permission: requiredText,
    granted: flag,
    begin: optionalText,
    end: optionalText,
    notify: flag,
    comment: optionalText,
  }),
  ({ 'entity-type': _, acl, ...ace }) => ({ acl: acl ?? undefined, ace }),
);

/** §2.5: the routes that read and change the permissions on a document. */
export const aclRoutes: readonly Route[] = documentAddresses.flatMap(({ at, by, document }): Route[] => {
  const id = { id: input('address.ace') };
  const changed = { ...document, ...preconditions };
  return [
    get(`${at}/@acl`, ({ acls }) => ({ document: call(document, acls) }), {
      name: `getAclsBy${by}`,
      summary: 'The ACLs of a document, including inherited ones',
    }),
    post(
      `${at}/@acl`,
      newAce,
      ({ ace }) => ({ createAce: call({ ...changed, acl: input('body.acl'), ace: input('body.ace') }, ace) }),
      {
        name: `createAceBy${by}`,
        summary: 'Grant or deny a permission on a document to a user, a group or a guest',
        description:
          'Returns the ACE. A guest is identified by an e-mail address, and the ACE needs an `end`.',
        guard: addressedGuard('WriteSecurity'),
        createsAt: 'id',
      },
    ),
    get(`${at}/@acl/:ace`, ({ ace }) => ({ document: call(document, { ace: call(id, ace) }) }), {
      name: `getAceBy${by}`,
      summary: 'An ACE of a document, possibly inherited',
      resultPath: ['document', 'ace'],
    }),
    del(
      `${at}/@acl/:ace`,
      () => ({
        removeAce: call({ ...changed, ...queryArguments('acl'), ace: input('address.ace') }, { uid: true }),
      }),
      { name: `removeAceBy${by}`, summary: 'Remove an ACE from a document' },
    ),
  ];
});
