import { z } from 'zod';
import { Invalid } from '../../errors.ts';
import {
  type BodyReader,
  bodyReader,
  entityTypeShape,
  optionalText,
  propertiesShape,
} from '../request/body.ts';

const id = z.string({
  error: ({ input }) => (input === undefined || input === null ? 'is missing' : 'is no string'),
});
/** Web forms send an empty id; the server then takes it from the properties. */
const newId = optionalText.transform((given) => given || undefined);
const ids = z.array(z.string('is no string'), 'is no list').nullish();

const user = { 'entity-type': entityTypeShape('user'), properties: propertiesShape };

export const newUser = bodyReader(
  z.object({ ...user, id: newId }, 'the body is no JSON object').meta({ title: 'NewUser' }),
  ({ id: name, properties: given }) => ({ id: name, properties: given ?? {} }),
);

const changedUser = bodyReader(
  z.object({ ...user, id }, 'the body is no JSON object').meta({ title: 'UserChange' }),
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

export const newGroup = bodyReader(
  z.object({ ...group, id: newId }, 'the body is no JSON object').meta({ title: 'NewGroup' }),
  groupInput,
);

export const changedGroup = bodyReader(
  z.object({ ...group, id }, 'the body is no JSON object').meta({ title: 'GroupChange' }),
  groupInput,
);

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
  z
    .object({ oldPassword: id, newPassword: id }, 'the body is no JSON object')
    .meta({ title: 'PasswordChange' }),
  (passwords) => passwords,
);
