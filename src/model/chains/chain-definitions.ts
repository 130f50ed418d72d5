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
  /** The id of an operation, or the name of another chain. */
  id: z.string(),
  /** JSON values; a string that begins with `expr:` is the path of a property or variable. */
  params: z.record(z.string(), z.unknown()).exactOptional(),
});

/** The definition of a chain: a sequence of operations that clients call as one (§4.7). */
export const chainShape = z.strictObject({
  name: z.string(),
  label: z.string().exactOptional(),
  category: z.string().exactOptional(),
  description: z.string().exactOptional(),
  /** For users who are not administrators, a call is 404 and listings leave the chain out. */
  isForAdministrators: z.literal(true).exactOptional(),
  params: z.array(param).exactOptional(),
  operations: z.array(step).min(1, 'has no operations').max(100, 'has more than 100 operations'),
});

export type ChainDefinition = z.infer<typeof chainShape>;
