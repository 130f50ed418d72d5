import { z } from 'zod';
import { Invalid } from '../../errors.ts';
import { textList } from '../../model/values/json-shapes.ts';
import {
  type BodyReader,
  bodyReader,
  entityTypeShape,
  givenText,
  objectShape,
  optionalText,
  propertiesShape,
} from '../request/body.ts';

const ids = textList('is no list', 'is no string').nullish();

const user = { 'entity-type': entityTypeShape('user'), id: optionalText, properties: propertiesShape };

const userInput = ({ id: name, properties: given }: z.output<z.ZodObject<typeof user>>) => ({
  id: name,
  properties: given ?? {},
});

export const newUser = bodyReader(objectShape('NewUser', user), userInput);

const changedUser = bodyReader(objectShape('UserChange', user), userInput);

const group = {
  'entity-type': entityTypeShape('group'),
  id: optionalText,
  groupname: optionalText,
  grouplabel: optionalText,
  properties: propertiesShape,
  memberUsers: ids,
  memberGroups: ids,
};

const groupInput = ({
  'entity-type': _,
  properties: given,
  ...fields
}: z.output<z.ZodObject<typeof group>>) => ({
  ...fields,
  properties: given ?? {},
});

export const newGroup = bodyReader(objectShape('NewGroup', group), groupInput);

export const changedGroup = bodyReader(objectShape('GroupChange', group), groupInput);

const typeOf = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && 'entity-type' in json ? json['entity-type'] : undefined;

const authority: BodyReader = (json) => {
  const type = typeOf(json);
  if (type === 'user') return { user: changedUser(json) };
  if (type === 'group') return { group: changedGroup(json) };
  throw new Invalid(
    `the body's entity-type is neither "user" nor "group": ${JSON.stringify(type)?.slice(0, 80)}`,
  );
};

/** §4.4: under `/user/ID` the `entity-type` tells a user from a group. */
export const changedAuthority: BodyReader = Object.assign(authority, {
  shape: z.union([changedUser.shape, changedGroup.shape]),
});

/** §4.3 `PUT /me/changepassword` */
export const changedPassword = bodyReader(
  objectShape('PasswordChange', { oldPassword: givenText, newPassword: givenText }),
  (passwords) => passwords,
);

/** `PUT /me/notifications` */
export const changedNotifications = bodyReader(
  objectShape('NotificationsChange', {
    'entity-type': entityTypeShape('notifications'),
    byMail: z.boolean({
      error: ({ input }) =>
        input === undefined || input === null ? 'is missing' : 'is neither true nor false',
    }),
  }),
  ({ byMail }) => ({ byMail }),
);
