import { group } from './group.ts';

/** §10: what each fetch property adds to what is asked of an entity, by entity type in lower case. */
export const fetchable = { group } as const;
