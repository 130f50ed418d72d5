import { aclsCheck } from './acls.ts';
import { authoritiesCheck } from './authorities.ts';
import { blobsCheck } from './blobs.ts';
import type { Check } from './check.ts';
import { indexCheck } from './search-index.ts';
import { treeCheck } from './tree.ts';
import { versionsCheck } from './versions.ts';
import { vocabularyValuesCheck } from './vocabulary-values.ts';

/** All checks, in order: later checks rely on repairs made by earlier ones. */
export const checks: readonly Check[] = [
  treeCheck,
  versionsCheck,
  aclsCheck,
  authoritiesCheck,
  vocabularyValuesCheck,
  blobsCheck,
  indexCheck,
];
