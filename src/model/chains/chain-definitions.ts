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
  /** Defaults to `string`. */
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
  /** The parameters as JSON values. A string that begins with `expr:` refers to a property or variable by its path. */
  params: z.record(z.string(), z.unknown()).exactOptional(),
});

/** The definition of a chain, which is a sequence of operations that clients call with a single request (§4.7). */
export const chainShape = z.strictObject({
  name: z.string(),
  label: z.string().exactOptional(),
  category: z.string().exactOptional(),
  description: z.string().exactOptional(),
  /** Whether only administrators can call the chain. Other users get status 404, and their listings omit the chain. */
  isForAdministrators: z.literal(true).exactOptional(),
  params: z.array(param).exactOptional(),
  operations: z
    .array(step)
    .min(1, 'must contain at least one operation')
    .max(100, 'must not contain more than 100 operations'),
});

export type ChainDefinition = z.infer<typeof chainShape>;
