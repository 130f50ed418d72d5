import { Invalid } from '../../errors.ts';
import type { CommentKind } from '../../model/comments/comment-tree.ts';
import { readDate } from '../../model/values/read-value.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { isUnset, type StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { checkProperties } from '../documents/properties.ts';

type Given = string | null | undefined;

/** What callers say of a comment; absent fields stay as they are. */
export interface CommentInput {
  readonly text?: Given;
  readonly creationDate?: Given;
  readonly modificationDate?: Given;
  readonly entityId?: Given;
  readonly origin?: Given;
  readonly entity?: Given;
  /** Of annotations. */
  readonly xpath?: Given;
}

const xpaths: Readonly<Record<Exclude<keyof CommentInput, 'creationDate' | 'modificationDate'>, string>> = {
  text: 'comment:text',
  entityId: 'externalEntity:entityId',
  origin: 'externalEntity:origin',
  entity: 'externalEntity:entity',
  xpath: 'annotation:xpath',
};

export const externalFacet = 'ExternalEntity';

export const isExternal = (properties: StoredProperties): boolean =>
  Object.keys(properties).some((xpath) => xpath.startsWith('externalEntity:') && !isUnset(properties[xpath]));

export const givenDate = <Otherwise extends string | null>(
  given: Given,
  name: string,
  otherwise: Otherwise,
): string | Otherwise => (typeof given === 'string' ? readDate(given, name) : otherwise);

/**
 * The properties of a comment after a change.
 * @throws Invalid for a comment that says nothing; Unprocessable for texts that are too long.
 */
export async function commentProperties(
  scope: Scope,
  kind: CommentKind,
  given: CommentInput,
  before: StoredProperties = {},
): Promise<StoredProperties> {
  requireStorable(given);
  const properties = { ...before };
  for (const [name, xpath] of Object.entries(xpaths)) {
    const value = given[name as keyof typeof xpaths];
    if (value === undefined || (name === 'xpath' && kind === 'Comment')) continue;
    properties[xpath] = value;
  }
  const text = properties['comment:text'];
  const isBlank = typeof text !== 'string' || text.trim() === '';
  if (isBlank && isUnset(properties['externalEntity:entity']))
    throw new Invalid(`text: ${text === undefined || text === null ? 'is missing' : 'is blank'}`);
  if (kind === 'Annotation' && !properties['annotation:xpath']) throw new Invalid('xpath: is missing');
  const schemas = scope.services.model.schemasOf(kind, [externalFacet]);
  await checkProperties(scope, schemas, properties, { xpaths: Object.values(xpaths), stored: before });
  return properties;
}
