import { z } from 'zod';
import { Invalid } from '../../errors.ts';
import { entity, maybe, properties, type ReadBody, reader } from '../body.ts';

const id = z.string({
  error: ({ input }) => (input === undefined || input === null ? 'is missing' : 'is no string'),
});
/** On a create the server may take the id from elsewhere: forms that leave it empty say nothing. */
const newId = maybe.transform((given) => given || undefined);
const ids = z.array(z.string('is no string'), 'is no list').nullish();

const user = { 'entity-type': entity('user'), properties };

/** §2.2: what a user may be created from; all other fields of the entity are ignored. */
export const newUser = reader(
  z.object({ ...user, id: newId }, 'the body is no JSON object').meta({ title: 'NewUser' }),
  ({ id: name, properties: given }) => ({ id: name, properties: given ?? {} }),
);

/** §2.2: what a user may be changed by; all other fields of the entity are ignored. */
const changedUser = reader(
  z.object({ ...user, id }, 'the body is no JSON object').meta({ title: 'UserChange' }),
  ({ id: name, properties: given }) => ({
    id: name,
    properties: given ?? {},
  }),
);

const group = {
  'entity-type': entity('group'),
  groupname: maybe,
  grouplabel: maybe,
  properties,
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

/** §2.3: what a group may be created from; all other fields of the entity are ignored. */
export const newGroup = reader(
  z.object({ ...group, id: newId }, 'the body is no JSON object').meta({ title: 'NewGroup' }),
  groupInput,
);

/** §2.3: what a group may be changed by; all other fields of the entity are ignored. */
export const changedGroup = reader(
  z.object({ ...group, id }, 'the body is no JSON object').meta({ title: 'GroupChange' }),
  groupInput,
);

const typeOf = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && 'entity-type' in json ? json['entity-type'] : undefined;

const authority: ReadBody = (json) => {
  const type = typeOf(json);
  if (type === 'user') return { user: changedUser(json) };
  if (type === 'group') return { group: changedGroup(json) };
  throw new Invalid(
    `the body's entity-type is neither "user" nor "group": ${JSON.stringify(type)?.slice(0, 80)}`,
  );
};

/** §4.4: under `/user/ID` a body says whether it is of a user or of a group. */
export const changedAuthority: ReadBody = Object.assign(authority, {
  shape: z.union([changedUser.shape, changedGroup.shape]),
});

/** §4.3 `PUT /me/changepassword` */
export const changedPassword = reader(
  z
    .object({ oldPassword: id, newPassword: id }, 'the body is no JSON object')
    .meta({ title: 'PasswordChange' }),
  (passwords) => passwords,
);
