import { z } from 'zod';

const chainParamTypes = [
  'string',
  'boolean',
  'integer',
  'date',
  'stringlist',
  'document',
  'documents',
  'properties',
  'object',
] as const;

const param = z.strictObject({
  name: z.string().min(1),
  /** `string` when absent. */
  type: z.enum(chainParamTypes).exactOptional(),
  description: z.string().exactOptional(),
  required: z.boolean().exactOptional(),
  default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
  values: z.array(z.string()).exactOptional(),
});

export type ChainParamDefinition = z.infer<typeof param>;

const step = z.strictObject({
  /** An operation or another chain. */
  id: z.string(),
  /** JSON, in which texts that begin with `expr:` are paths of properties and variables. */
  params: z.record(z.string(), z.unknown()).exactOptional(),
});

/** Operations that clients call as one (§4.7). */
export const chainShape = z.strictObject({
  name: z.string(),
  label: z.string().exactOptional(),
  category: z.string().exactOptional(),
  description: z.string().exactOptional(),
  /** Calls by other users are 404, and listings leave it out. */
  isForAdministrators: z.literal(true).exactOptional(),
  params: z.array(param).exactOptional(),
  operations: z.array(step).min(1, 'has no operations').max(100, 'has more than 100 operations'),
});

export type ChainDefinition = z.infer<typeof chainShape>;
