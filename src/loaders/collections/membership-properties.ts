import { membershipProperties } from '../../model/memberships.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';

export type RenderedProperties = Record<string, unknown>;

/**
 * Adds the ids of memberships, which are rows of their own; documents without such properties cost nothing.
 */
export function withMembershipIds(
  { id }: DocumentRow,
  shown: RenderedProperties,
  { load }: Context,
): RenderedProperties | Promise<RenderedProperties> {
  const asked = membershipProperties.filter((xpath) => Object.hasOwn(shown, xpath));
  if (asked.length === 0) return shown;
  return Promise.all(asked.map((xpath) => load.membershipIds(xpath, id))).then((ids) => ({
    ...shown,
    ...Object.fromEntries(asked.map((xpath, index) => [xpath, ids[index]])),
  }));
}
