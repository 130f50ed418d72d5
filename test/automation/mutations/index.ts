import { authorityMutations } from './authorities.ts';
import { bulkMutations } from './bulk.ts';
import { chainMutations } from './chains.ts';
import { collectionMutations } from './collections.ts';
import { directoryMutations } from './directories.ts';
import { eventMutations } from './events.ts';
import { fileMutations } from './files.ts';
import { mailMutations } from './mails.ts';
import type { Mutation } from './mutation.ts';
import { ownMutations } from './own.ts';
import { permissionMutations } from './permissions.ts';
import { placeMutations } from './places.ts';
import { propertyMutations } from './properties.ts';
import { publicationMutations } from './publication.ts';
import { retentionMutations } from './retention.ts';
import { schemaMutations } from './schemas.ts';
import { stateMutations } from './states.ts';
import { tagMutations } from './tags.ts';
import { versionMutations } from './versions.ts';
import { workflowMutations } from './workflows.ts';

/**
 * Every operation that writes, with its answer, needs, refusals and log entries; `mutations.test.ts` tests each.
 * This folder mirrors none of `src/`: one test walks the operations of all nouns.
 */
export const mutations: Readonly<Record<string, Mutation>> = {
  ...authorityMutations,
  ...bulkMutations,
  ...chainMutations,
  ...collectionMutations,
  ...directoryMutations,
  ...eventMutations,
  ...fileMutations,
  ...mailMutations,
  ...ownMutations,
  ...permissionMutations,
  ...placeMutations,
  ...propertyMutations,
  ...publicationMutations,
  ...retentionMutations,
  ...schemaMutations,
  ...stateMutations,
  ...tagMutations,
  ...versionMutations,
  ...workflowMutations,
};
