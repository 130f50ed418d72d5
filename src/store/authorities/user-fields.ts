import { Invalid } from '../../errors.ts';
import { idOrNone } from '../../model/names.ts';
import type { StoredProperties, StoredValue } from '../../model/values/stored.ts';
import type { AuthorityScope } from '../../scope.ts';
import { readFields } from '../documents/read-fields.ts';
import { newPasswordHash } from './passwords.ts';
import { authoritySchema } from './schemas.ts';

export interface UserFields {
  readonly username: string | undefined;
  readonly password: string | null | undefined;
  readonly groups: readonly string[] | undefined;
  readonly properties: StoredProperties;
}

const text = (value: StoredValue | undefined) => value as string | null | undefined;
const list = (value: StoredValue | undefined) => value as readonly string[] | undefined;

/** @throws Invalid for an unknown property or a value of another type. */
export function readUser({ model }: AuthorityScope, json: Readonly<Record<string, unknown>>): UserFields {
  const { username, password, groups, ...properties } = readFields(authoritySchema(model, 'user'), json);
  if (password === '') throw new Invalid('password: is empty');
  return {
    username: idOrNone(username),
    password: text(password),
    groups: list(groups),
    properties,
  };
}

/** Undefined leaves the stored hash. The hash is computed while no connection and no lock is held. */
export async function passwordUpdate(
  { db }: Pick<AuthorityScope, 'db'>,
  password: UserFields['password'],
): Promise<{ passwordHash?: string | null }> {
  if (password === undefined) return {};
  return { passwordHash: password === null ? null : await newPasswordHash(db, password) };
}
