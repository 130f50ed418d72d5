import { z } from 'zod';

/*
 * A workflow model is a graph. A workflow stays at a node until its tasks there have ended, and then follows
 * the first transition whose conditions hold. Stock models and JSON files of MODEL_DIR have these shapes.
 */

const names = z.array(z.string());
const variable = z.string();
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const condition = z.union([
  z.strictObject({ variable, is: scalar }),
  z.strictObject({ variable, below: z.number() }),
  /** True if the value is an index, from 0, into the list that is another variable. */
  z.strictObject({ variable, within: z.string() }),
]);

export type WorkflowCondition = z.infer<typeof condition>;

const change = z.union([
  z.strictObject({ variable, set: scalar.nullable() }),
  z.strictObject({ variable, add: z.int() }),
]);

export type VariableChange = z.infer<typeof change>;

/** Applied to each attached document that allows it; locks are in the name of the initiator. */
const deed = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['lock', 'unlock']) }),
  z.strictObject({ do: z.literal('follow'), transition: z.string() }),
  z.strictObject({ do: z.literal('checkIn'), increment: z.enum(['MINOR', 'MAJOR']) }),
]);

export type WorkflowDeed = z.infer<typeof deed>;

const button = z.strictObject({
  // The last segment of an address, where `reassign` and `delegate` have another meaning.
  name: z.string().regex(/^(?!reassign$|delegate$)[\w.-]+$/, 'is no name that a button can have'),
  /** A label key, like all texts of a model. */
  label: z.string(),
  /** Whether the variables that the task takes are stored, and those that it needs are required. */
  validate: z.boolean(),
  /** The variable that names an operation or a chain, run on the documents by the user who pressed it. */
  runs: variable.exactOptional(),
});

export type ButtonDefinition = z.infer<typeof button>;

/** A text, or the variable that holds it. */
const told = z.union([z.string(), z.strictObject({ variable })]);

const task = z.strictObject({
  name: told,
  directive: told,
  /**
   * Creates one task for the initiator, one for each member of a list, one for the member at an index, or one
   * for all members together.
   */
  actors: z.union([
    z.literal('initiator'),
    z.strictObject({ variable, at: z.string().exactOptional() }),
    z.strictObject({ variable, together: z.literal(true) }),
  ]),
  /** Days after the start of the task, or a date. */
  due: z
    .union([z.strictObject({ days: z.number().min(0).max(36_500) }), z.strictObject({ variable })])
    .exactOptional(),
  /** The permission of the actors on the attached documents while the task is open. */
  permission: z.enum(['Read', 'ReadWrite']).exactOptional(),
  reassignable: z.boolean().exactOptional(),
  /** The variables that clients see with the task. */
  shows: names,
  /** Those that ending the task may set. */
  takes: names.exactOptional(),
  /** Those that ending the task must set. */
  needs: names.exactOptional(),
  buttons: z.array(button).min(1),
  /** A list variable that collects the outcome of each task, as `{participant, result, comment}`. */
  records: z.string().exactOptional(),
});

export type TaskDefinition = z.infer<typeof task>;

const transition = z.strictObject({
  to: z.string(),
  /** The button that ended the task, the last one of several tasks; any when absent. */
  button: z.string().exactOptional(),
  /** All of these must hold. */
  when: z.array(condition).exactOptional(),
  changes: z.array(change).exactOptional(),
});

export type TransitionDefinition = z.infer<typeof transition>;

const node = z.strictObject({
  id: z.string().min(1),
  title: z.string().exactOptional(),
  /** The position in drawings, in pixels; 0, 0 when absent. */
  place: z.strictObject({ x: z.number(), y: z.number() }).exactOptional(),
  deeds: z.array(deed).exactOptional(),
  task: task.exactOptional(),
  /** The first whose conditions hold is followed; a node without transitions ends the workflow. */
  transitions: z.array(transition).exactOptional(),
});

export type NodeDefinition = z.infer<typeof node>;

export const workflowShape = z.strictObject({
  name: z.string(),
  title: z.string(),
  /** The schema of the variables. */
  variables: z.string(),
  /** Variables that clients cannot set. */
  keeps: names.exactOptional(),
  /** Restricts the documents on which it may start. */
  runsOn: z
    .strictObject({
      types: names.exactOptional(),
      /** Excluded life cycle states. */
      notIn: names.exactOptional(),
      /** Whether the documents must be unlocked. */
      unlocked: z.boolean().exactOptional(),
      /** Whether it can run several times on one document at the same time. */
      repeatedly: z.boolean().exactOptional(),
    })
    .exactOptional(),
  whenCanceled: z.array(deed).exactOptional(),
  /** The first one is the start. */
  nodes: z.array(node).min(1),
});

export type WorkflowDefinition = z.infer<typeof workflowShape>;
