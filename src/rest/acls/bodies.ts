import { z } from 'zod';
import { bodyReader, entityTypeShape, givenText, objectShape, optionalText } from '../request/body.ts';

const flag = z.boolean('is neither true nor false').nullish();

/** §2.5 */
export const newAce = bodyReader(
  objectShape('NewAce', {
    'entity-type': entityTypeShape('ace').nullish(),
    acl: optionalText,
    username: givenText,
    permission: givenText,
    granted: flag,
    begin: optionalText,
    end: optionalText,
    notify: flag,
    comment: optionalText,
  }),
  ({ 'entity-type': _, acl, ...ace }) => ({ acl: acl ?? undefined, ace }),
);
