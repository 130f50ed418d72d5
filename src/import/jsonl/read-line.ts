import { z } from 'zod';
import { Invalid } from '../../errors.ts';
import { lifeCycle } from '../../model/life-cycle.ts';
import { requireStorable } from '../../model/values/storable.ts';

const states = [lifeCycle.initial, 'approved', 'obsolete'] as const;

/** What answers say of an ACE besides what it is made of. */
const saidOfAces = z.object({ id: z.unknown(), status: z.unknown(), externalUser: z.unknown() }).partial();

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

const no = z.literal(false).nullish();

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
  proxyTargetId: z.unknown(),
  isCheckedOut: z.unknown(),
  lockOwner: z.unknown(),
  lockCreated: z.unknown(),
  isVersion: no,
  isProxy: no,
  isTrashed: no,
  isRecord: no,
  hasLegalHold: no,
  isUnderRetentionOrLegalHold: no,
  retainUntil: z.null(),
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

/** Reads a line as JSON of the right shape. @throws Invalid */
export function readLine(text: string): LineShape {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Invalid(`it is no JSON: ${(error as Error).message}`);
  }
  requireStorable(json);
  const { data, error } = lineShape.safeParse(json);
  if (data) return data;
  const [issue] = error.issues;
  const at = issue?.path.join('.');
  throw new Invalid(at ? `${at}: ${issue?.message}` : (issue?.message ?? 'it is no document'));
}
