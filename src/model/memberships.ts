/** Properties computed from memberships: the members of a collection, and the collections of a document. */
export const membershipProperties = ['collection:documentIds', 'collectionMember:collectionIds'] as const;

export type MembershipProperty = (typeof membershipProperties)[number];
