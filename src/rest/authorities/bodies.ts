import { z } from 'zod';
import { Invalid } from '../../errors.ts';
import {
  type BodyReader,
  bodyReader,
  entityTypeShape,
  objectShape,
  optionalText,
  propertiesShape,
} from '../request/body.ts';

const id = z.string({
  error: ({ input }) => (input === undefined || input === null ? 'is missing' : 'is no string'),
});
/** Web forms send an empty id; the server then takes it from the properties, or the address. */
const optionalId = optionalText.transform((given) => given || undefined);
const ids = z.array(z.string('is no string'), 'is no list').nullish();

const user = { 'entity-type': entityTypeShape('user'), properties: propertiesShape };

export const newUser = bodyReader(
  objectShape('NewUser', { ...user, id: optionalId }),
  ({ id: name, properties: given }) => ({ id: name, properties: given ?? {} }),
);

const changedUser = bodyReader(
  objectShape('UserChange', { ...user, id: optionalId }),
  ({ id: name, properties: given }) => ({
    id: name,
    properties: given ?? {},
  }),
);

const group = {
  'entity-type': entityTypeShape('group'),
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

export const newGroup = bodyReader(objectShape('NewGroup', { ...group, id: optionalId }), groupInput);

export const changedGroup = bodyReader(objectShape('GroupChange', { ...group, id: optionalId }), groupInput);

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
  objectShape('PasswordChange', { oldPassword: id, newPassword: id }),
  (passwords) => passwords,
);
