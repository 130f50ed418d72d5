import { Invalid } from '../../errors.ts';
import type { StoredProperties, StoredValue } from '../../model/stored.ts';
import type { Scope } from '../../scope.ts';
import { readFields } from '../fields.ts';
import { hashPassword } from '../passwords.ts';
import { schemaOf } from './schemas.ts';

/** What a body says of a user; what it does not say is undefined. */
export interface GivenUser {
  readonly username: string | undefined;
  /** Null takes the password away. */
  readonly password: string | null | undefined;
  readonly groups: readonly string[] | undefined;
  /** All others; null clears. */
  readonly properties: StoredProperties;
}

/** Whatever the model's field is declared as, its type was checked when it was read. */
const text = (value: StoredValue | undefined) => value as string | null | undefined;
const list = (value: StoredValue | undefined) => value as readonly string[] | undefined;

/** Reads the properties of a user. @throws Invalid on one that the schema does not have, or of another type. */
export function readUser({ model }: Scope, json: Readonly<Record<string, unknown>>): GivenUser {
  const { username, password, groups, ...properties } = readFields(schemaOf(model, 'user'), json);
  if (password === '') throw new Invalid('password: is empty');
  return {
    username: text(username) ?? undefined,
    password: text(password),
    groups: list(groups),
    properties,
  };
}

/** What is stored for a password; undefined leaves it. */
export async function passwordHash(
  password: GivenUser['password'],
): Promise<{ passwordHash?: string | null }> {
  if (password === undefined) return {};
  return { passwordHash: password === null ? null : await hashPassword(password) };
}
