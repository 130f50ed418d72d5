import type { VersioningPolicy } from './definitions.ts';
import type { Report } from './field-faults.ts';
import type { Model } from './model.ts';

/** How a version differs from the one before: by nothing, in the minor number, or in the major one. */
export type Increment = 'NONE' | 'MINOR' | 'MAJOR';

/** What a save is, as far as policies ask. */
export interface Save {
  readonly when: 'before' | 'after';
  /** What the header `source` says. */
  readonly source: string | undefined;
  readonly type: string;
  /** Of the type and of the document. */
  readonly facets: readonly string[];
  readonly schemas: readonly string[];
  /** Whether somebody else than the caller changed the document last. */
  readonly isByAnother: boolean;
  /** Seconds since the document was changed last. */
  readonly idle: number;
}

/** The policies every server has (§11); tagging and collections do not come by here, and so make no versions. */
export const versioning: readonly VersioningPolicy[] = [
  { name: 'none-for-system-documents', order: 1, facets: ['SystemDocument'], increment: 'NONE' },
  { name: 'note', order: 50, when: 'after', types: ['Note'], increment: 'MINOR' },
  {
    ...{ name: 'collaborative-save', order: 100, when: 'before', increment: 'MINOR' },
    ...{ schemas: ['file'], byAnother: true },
  },
  {
    ...{ name: 'drive', order: 150, when: 'before', increment: 'MINOR' },
    ...{ source: 'drive', idle: 3600 },
  },
];

/** Where a policy stands that does not say: behind those that rule versions out, before the other stock ones. */
const usualOrder = 10;

const fits = (policy: VersioningPolicy, save: Save): boolean =>
  (policy.when ?? save.when) === save.when &&
  (policy.source ?? save.source) === save.source &&
  (policy.types?.includes(save.type) ?? true) &&
  (policy.facets?.every((facet) => save.facets.includes(facet)) ?? true) &&
  (policy.schemas?.every((schema) => save.schemas.includes(schema)) ?? true) &&
  (!policy.byAnother || save.isByAnother) &&
  save.idle >= (policy.idle ?? 0);

/** What versions the policies make by themselves: the first that fits a save decides. */
export const automatic = (policies: readonly VersioningPolicy[], save: Save): Increment =>
  policies.find((policy) => fits(policy, save))?.increment ?? 'NONE';

/** Policies in their order; those that name what nobody contributed are reported. */
export function resolvePolicies(
  definitions: Iterable<VersioningPolicy>,
  model: Pick<Model, 'types' | 'facets' | 'schemas'>,
  reporter: (policy: VersioningPolicy) => Report,
): readonly VersioningPolicy[] {
  const policies = [...definitions];
  for (const policy of policies) {
    for (const list of ['types', 'facets', 'schemas'] as const) {
      for (const [index, name] of (policy[list] ?? []).entries()) {
        if (model[list].has(name)) continue;
        reporter(policy)(`.${list}[${index}]`, `there is no ${list.slice(0, -1)} ${name}`);
      }
    }
  }
  return policies.sort((a, b) => (a.order ?? usualOrder) - (b.order ?? usualOrder));
}
