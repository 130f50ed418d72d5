import { Invalid } from '../../errors.ts';
import type { CommentKind } from '../../model/comments/comment-tree.ts';
import { readDate } from '../../model/values/read-value.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { isUnset, type StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { checkProperties } from '../documents/properties.ts';

type InputText = string | null | undefined;

/** The fields of a comment in a request; absent ones remain unchanged. */
export interface CommentInput {
  readonly text?: InputText;
  readonly creationDate?: InputText;
  readonly modificationDate?: InputText;
  readonly entityId?: InputText;
  readonly origin?: InputText;
  readonly entity?: InputText;
  /** The xpath of the property that an annotation is about. */
  readonly xpath?: InputText;
  /** Whether the thread that begins with the comment is resolved; only changes have it. */
  readonly resolved?: boolean | null | undefined;
}

const xpaths: Readonly<
  Record<Exclude<keyof CommentInput, 'creationDate' | 'modificationDate' | 'resolved'>, string>
> = {
  text: 'comment:text',
  entityId: 'externalEntity:entityId',
  origin: 'externalEntity:origin',
  entity: 'externalEntity:entity',
  xpath: 'annotation:xpath',
};

/** The facet of comments on something outside the repository. */
export const externalFacet = 'ExternalEntity';

/** Whether a comment is on something outside the repository. */
export const isExternal = (properties: StoredProperties): boolean =>
  Object.keys(properties).some((xpath) => xpath.startsWith('externalEntity:') && !isUnset(properties[xpath]));

/**
 * Returns the date in a request, or a default if the request contains none.
 * @throws Invalid
 */
export const dateOr = <Otherwise extends string | null>(
  value: InputText,
  name: string,
  otherwise: Otherwise,
): string | Otherwise => (typeof value === 'string' ? readDate(value, name) : otherwise);

/**
 * The properties of a comment after a change.
 * @throws Invalid for a comment that has neither text nor an external entity; Unprocessable if a text is too long
 */
export async function commentProperties(
  scope: Scope,
  kind: CommentKind,
  input: CommentInput,
  before: StoredProperties = {},
): Promise<StoredProperties> {
  requireStorable(input);
  const properties = { ...before };
  for (const [name, xpath] of Object.entries(xpaths)) {
    const value = input[name as keyof typeof xpaths];
    if (value === undefined || (name === 'xpath' && kind === 'Comment')) continue;
    properties[xpath] = value;
  }
  const text = properties['comment:text'];
  const isBlank = typeof text !== 'string' || text.trim() === '';
  if (isBlank && isUnset(properties['externalEntity:entity']))
    throw new Invalid(`text ${text === undefined || text === null ? 'is missing' : 'must not be blank'}`);
  if (kind === 'Annotation' && !properties['annotation:xpath']) throw new Invalid('xpath is missing');
  const schemas = scope.services.model.schemasOf(kind, [externalFacet]);
  await checkProperties(scope, schemas, properties, { xpaths: Object.values(xpaths), stored: before });
  return properties;
}
