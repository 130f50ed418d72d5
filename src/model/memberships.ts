/** The properties that tell of memberships: the members of a collection, and the collections of a member. */
export const membershipProperties = ['collection:documentIds', 'collectionMember:collectionIds'] as const;

/** One of them. */
export type MembershipProperty = (typeof membershipProperties)[number];
