import type { Query } from '../db/database.ts';
import type { Document } from '../generated/prisma/client.ts';
import type { StoredProperties } from '../model/stored.ts';

/** A row of the table `document`, whether Prisma or a hot read brought it. */
export type DocumentRow = Omit<Document, 'properties'> & { properties: StoredProperties };

/** The columns under the names that Prisma's model gives them; a test holds them to the schema. */
export const documentColumns = `
  d.repository, d.id, d.parent_id AS "parentId", d.ancestor_ids AS "ancestorIds", d.name, d.path, d.type,
  d.facets, d.title, d.state, d.major_version AS "majorVersion", d.minor_version AS "minorVersion",
  d.is_checked_out AS "isCheckedOut", d.is_version AS "isVersion", d.is_proxy AS "isProxy",
  d.is_trashed AS "isTrashed", d.system_token AS "systemToken", d.user_token AS "userToken",
  d.acl_id AS "aclId", d.properties`;

/** A named statement that reads whole rows of `document`, called `d` in its condition. */
export const documentQuery = (name: string, rest: string): Query => ({
  name,
  text: `SELECT ${documentColumns} FROM document d ${rest}`,
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be a document's id; one that cannot is simply not found. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** The version of a row that clients see: the server's half, then the user's. */
export const changeToken = ({ systemToken, userToken }: DocumentRow): string => `${systemToken}-${userToken}`;
