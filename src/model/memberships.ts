/**
 * The properties that are computed from the table of collection members: the members of a collection, and the
 * collections of a document.
 */
export const membershipProperties = ['collection:documentIds', 'collectionMember:collectionIds'] as const;

export type MembershipProperty = (typeof membershipProperties)[number];
