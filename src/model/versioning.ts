import type { VersioningPolicy } from './definitions.ts';
import type { Model } from './model.ts';
import { type ReportFault, reportBelow, reportUnknownNames } from './model-error.ts';

export type Increment = VersioningPolicy['increment'];

/** The circumstances in which a document is saved, with which the conditions of versioning policies are compared. */
interface SaveContext {
  readonly when: 'before' | 'after';
  /** The source that the caller specifies, if any. */
  readonly source: string | undefined;
  readonly type: string;
  /** The facets of the document, including those of its type. */
  readonly facets: readonly string[];
  readonly schemas: readonly string[];
  readonly isByAnotherUser: boolean;
  /** The number of seconds since the previous change. */
  readonly idle: number;
}

/**
 * The built-in versioning policies (§11). Tagging a document or changing its collections creates no versions, because
 * these changes bypass all policies.
 */
export const stockVersioningPolicies: readonly VersioningPolicy[] = [
  { name: 'none-for-system-documents', order: 1, facets: ['SystemDocument'], increment: 'NONE' },
  { name: 'note', order: 50, when: 'after', types: ['Note'], increment: 'MINOR' },
  {
    name: 'collaborative-save',
    order: 100,
    when: 'before',
    increment: 'MINOR',
    schemas: ['file'],
    byAnother: true,
  },
  { name: 'drive', order: 150, when: 'before', increment: 'MINOR', source: 'drive', idle: 3600 },
];

/**
 * The default rank of a contributed policy: after the built-in policy that prevents versions of system documents, and
 * before all other built-in policies.
 */
const defaultOrder = 10;

const matches = (policy: VersioningPolicy, save: SaveContext): boolean =>
  (policy.when ?? save.when) === save.when &&
  (policy.source ?? save.source) === save.source &&
  (policy.types?.includes(save.type) ?? true) &&
  (policy.facets?.every((facet) => save.facets.includes(facet)) ?? true) &&
  (policy.schemas?.every((schema) => save.schemas.includes(schema)) ?? true) &&
  (!policy.byAnother || save.isByAnotherUser) &&
  save.idle >= (policy.idle ?? 0);

export const policyIncrement = (policies: readonly VersioningPolicy[], save: SaveContext): Increment =>
  policies.find((policy) => matches(policy, save))?.increment ?? 'NONE';

/** Sorts policies by rank, and reports unknown names in them. */
export function resolveVersioningPolicies(
  definitions: Iterable<VersioningPolicy>,
  { types, facets, schemas }: Pick<Model, 'types' | 'facets' | 'schemas'>,
  reporter: (policy: VersioningPolicy) => ReportFault,
): readonly VersioningPolicy[] {
  const policies = [...definitions];
  for (const policy of policies) {
    const report = reporter(policy);
    reportUnknownNames(policy.types, types, 'type', reportBelow(report, '.types'));
    reportUnknownNames(policy.facets, facets, 'facet', reportBelow(report, '.facets'));
    reportUnknownNames(policy.schemas, schemas, 'schema', reportBelow(report, '.schemas'));
  }
  return policies.sort((a, b) => (a.order ?? defaultOrder) - (b.order ?? defaultOrder));
}
