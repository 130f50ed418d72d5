import { z } from 'zod';
import { lifeCycle } from '../../model/life-cycle.ts';
import { readJson } from './read-shape.ts';

const states = [lifeCycle.initial, 'approved', 'obsolete'] as const;

/** What answers say of an ACE besides what it is made of. */
const saidOfAces = z
  .object({ id: z.unknown(), status: z.unknown(), externalUser: z.unknown(), notify: z.unknown() })
  .partial();

const aceShape = z.strictObject({
  ...saidOfAces.shape,
  username: z.string().min(1),
  permission: z.string(),
  granted: z.boolean().nullish(),
  creator: z.string().nullish(),
  begin: z.string().nullish(),
  end: z.string().nullish(),
  comment: z.string().nullish(),
});

const isObject = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const without = (kind: string) => z.literal(false, `${kind} are refused`).nullish();
const underRetention = 'documents under retention';

/** What answers and exports say besides: an import gives it anew, or refuses what it cannot make. */
const shown = {
  'entity-type': z.literal('document'),
  repository: z.unknown(),
  uid: z.unknown(),
  name: z.unknown(),
  title: z.unknown(),
  schemas: z.unknown(),
  parentRef: z.unknown(),
  changeToken: z.unknown(),
  lastModified: z.unknown(),
  versionLabel: z.unknown(),
  versionableId: z.unknown(),
  isLatestVersion: z.unknown(),
  isLatestMajorVersion: z.unknown(),
  proxyTargetId: z.unknown(),
  workflowModelName: z.unknown(),
  isCheckedOut: z.unknown(),
  lockOwner: z.unknown(),
  lockCreated: z.unknown(),
  isVersion: without('versions'),
  isProxy: without('proxies'),
  isTrashed: without('documents in the trash'),
  isRecord: without('records'),
  isFlexibleRecord: z.unknown(),
  retainedProperties: z.unknown(),
  hasLegalHold: without(underRetention),
  isUnderRetentionOrLegalHold: without(underRetention),
  retainUntil: z.null(`${underRetention} are refused`),
  contextParameters: z.unknown(),
};

const lineShape = z.strictObject({
  ...z.object(shown).partial().shape,
  path: z.string(),
  type: z.string(),
  facets: z.array(z.string()).nullish(),
  state: z.enum(states as readonly [string, ...string[]]).nullish(),
  properties: z.custom<Record<string, unknown>>((json) => isObject(json), 'expected an object').nullish(),
  acl: z.array(aceShape).nullish(),
});

export type LineShape = z.infer<typeof lineShape>;

/** @throws Invalid */
export const readLine = (text: string): LineShape => readJson(lineShape, text);
