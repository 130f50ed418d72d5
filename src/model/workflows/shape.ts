import { z } from 'zod';
import type { WorkflowDefinition } from './definition.ts';

const names = z.array(z.string());
const variable = z.string();
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const condition = z.union([
  z.strictObject({ variable, is: scalar }),
  z.strictObject({ variable, below: z.number() }),
  z.strictObject({ variable, within: z.string() }),
]);

const change = z.union([
  z.strictObject({ variable, set: scalar.nullable() }),
  z.strictObject({ variable, add: z.int() }),
]);

const deeds = z.array(
  z.discriminatedUnion('do', [
    z.strictObject({ do: z.enum(['lock', 'unlock']) }),
    z.strictObject({ do: z.literal('follow'), transition: z.string() }),
    z.strictObject({ do: z.literal('checkIn'), increment: z.enum(['MINOR', 'MAJOR']) }),
  ]),
);

const task = z.strictObject({
  name: z.string(),
  directive: z.string(),
  actors: z.union([z.literal('initiator'), z.strictObject({ variable, at: z.string().exactOptional() })]),
  due: z
    .union([z.strictObject({ days: z.number().min(0).max(36_500) }), z.strictObject({ variable })])
    .exactOptional(),
  permission: z.enum(['Read', 'ReadWrite']).exactOptional(),
  reassignable: z.boolean().exactOptional(),
  shows: names,
  takes: names.exactOptional(),
  needs: names.exactOptional(),
  // A button is the last segment of an address, where two names mean something else.
  buttons: z
    .array(
      z.strictObject({
        name: z.string().regex(/^(?!reassign$|delegate$)[\w.-]+$/, 'is no name that a button can have'),
        label: z.string(),
        validate: z.boolean(),
      }),
    )
    .min(1),
  records: z.string().exactOptional(),
});

const node = z.strictObject({
  id: z.string().min(1),
  title: z.string().exactOptional(),
  place: z.strictObject({ x: z.number(), y: z.number() }).exactOptional(),
  deeds: deeds.exactOptional(),
  task: task.exactOptional(),
  transitions: z
    .array(
      z.strictObject({
        to: z.string(),
        button: z.string().exactOptional(),
        when: z.array(condition).exactOptional(),
        changes: z.array(change).exactOptional(),
      }),
    )
    .exactOptional(),
});

/** A workflow model in a file of MODEL_DIR. */
export const workflowShape: z.ZodType<WorkflowDefinition> = z.strictObject({
  name: z.string(),
  title: z.string(),
  variables: z.string(),
  keeps: names.exactOptional(),
  runsOn: z
    .strictObject({
      types: names.exactOptional(),
      notIn: names.exactOptional(),
      unlocked: z.boolean().exactOptional(),
    })
    .exactOptional(),
  whenCanceled: deeds.exactOptional(),
  nodes: z.array(node).min(1),
});
