import type { Context } from '../context.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { membershipProperties } from '../model/memberships.ts';

/** Properties by xpath. */
export type Shown = Record<string, unknown>;

/** Properties as they are shown, with the ids that memberships make; at no cost where there are no such properties. */
export function withMemberships(
  { id }: DocumentRow,
  shown: Shown,
  { load }: Context,
): Shown | Promise<Shown> {
  const asked = membershipProperties.filter((xpath) => Object.hasOwn(shown, xpath));
  if (asked.length === 0) return shown;
  return Promise.all(asked.map((xpath) => load.membershipIds(xpath, id))).then((ids) => ({
    ...shown,
    ...Object.fromEntries(asked.map((xpath, index) => [xpath, ids[index]])),
  }));
}
