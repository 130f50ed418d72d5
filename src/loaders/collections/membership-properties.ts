import { membershipProperties } from '../../model/memberships.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';

export type RenderedProperties = Record<string, unknown>;

/**
 * Adds the values of membership properties, which are stored in a separate table. Returns immediately if none of these
 * properties is rendered.
 */
export function withMembershipIds(
  { id }: DocumentRow,
  shown: RenderedProperties,
  { load }: Context,
): RenderedProperties | Promise<RenderedProperties> {
  const xpaths = membershipProperties.filter((xpath) => Object.hasOwn(shown, xpath));
  if (xpaths.length === 0) return shown;
  return Promise.all(xpaths.map((xpath) => load.membershipIds(xpath, id))).then((ids) => ({
    ...shown,
    ...Object.fromEntries(xpaths.map((xpath, index) => [xpath, ids[index]])),
  }));
}
