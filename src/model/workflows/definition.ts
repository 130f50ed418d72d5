import { z } from 'zod';

/**
 * The shapes of workflow models, both in built-in definitions and in the JSON files of MODEL_DIR. A workflow model is
 * a graph. A workflow stays at a node until its tasks there have ended, and then follows the first transition whose
 * conditions are satisfied.
 */

const names = z.array(z.string());
const variable = z.string();
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const condition = z.union([
  z.strictObject({ variable, is: scalar }),
  z.strictObject({ variable, below: z.number() }),
  /** Satisfied if the value is a valid zero-based index into the list in another variable. */
  z.strictObject({ variable, within: z.string() }),
]);

export type WorkflowCondition = z.infer<typeof condition>;

const change = z.union([
  z.strictObject({ variable, set: scalar.nullable() }),
  z.strictObject({ variable, add: z.int() }),
]);

export type VariableChange = z.infer<typeof change>;

/**
 * An action that is performed on each attached document for which it is possible. Documents are locked by the
 * initiator.
 */
const action = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['lock', 'unlock']) }),
  z.strictObject({ do: z.literal('follow'), transition: z.string() }),
  z.strictObject({ do: z.literal('checkIn'), increment: z.enum(['MINOR', 'MAJOR']) }),
]);

export type WorkflowAction = z.infer<typeof action>;

const button = z.strictObject({
  // The name is used as the last segment of a URL, where `reassign` and `delegate` already have another meaning.
  name: z.string().regex(/^(?!reassign$|delegate$)[\w.-]+$/, 'cannot be the name of a button'),
  /** A message key. */
  label: z.string(),
  /** Whether the button stores the variables in `takes` and requires those in `needs`. */
  validate: z.boolean(),
  /**
   * The variable that contains the name of an operation or chain. The operation or chain runs on the documents with the
   * permissions of the user who presses the button.
   */
  runs: variable.exactOptional(),
});

export type ButtonDefinition = z.infer<typeof button>;

/** A string, or the name of the variable that contains it. */
const textOrVariable = z.union([z.string(), z.strictObject({ variable })]);

const task = z.strictObject({
  name: textOrVariable,
  directive: textOrVariable,
  /**
   * The assignees. One task is created for the initiator, for each member of a list, for the member at an index, or for
   * all members together.
   */
  actors: z.union([
    z.literal('initiator'),
    z.strictObject({ variable, at: z.string().exactOptional() }),
    z.strictObject({ variable, together: z.literal(true) }),
  ]),
  /** The due date: a number of days after the start of the task, or the date in a variable. */
  due: z
    .union([z.strictObject({ days: z.number().min(0).max(36_500) }), z.strictObject({ variable })])
    .exactOptional(),
  /** The permission that the actors have on the attached documents while the task is open. */
  permission: z.enum(['Read', 'ReadWrite']).exactOptional(),
  reassignable: z.boolean().exactOptional(),
  /** The variables that clients see together with the task. */
  shows: names,
  /** The variables that clients can set when they complete the task. */
  takes: names.exactOptional(),
  /** The variables that clients must set when they complete the task. */
  needs: names.exactOptional(),
  buttons: z.array(button).min(1),
  /** The list variable to which each task adds its outcome, as `{participant, result, comment}`. */
  records: z.string().exactOptional(),
});

export type TaskDefinition = z.infer<typeof task>;

const transition = z.strictObject({
  to: z.string(),
  /**
   * The button that completed the node's task or, if the node had several tasks, the last of them. If absent, any
   * button matches.
   */
  button: z.string().exactOptional(),
  /** Conditions, all of which must be satisfied. */
  when: z.array(condition).exactOptional(),
  changes: z.array(change).exactOptional(),
});

export type TransitionDefinition = z.infer<typeof transition>;

const node = z.strictObject({
  id: z.string().min(1),
  title: z.string().exactOptional(),
  /** The node's position in diagrams, in pixels; defaults to 0, 0. */
  place: z.strictObject({ x: z.number(), y: z.number() }).exactOptional(),
  actions: z.array(action).exactOptional(),
  task: task.exactOptional(),
  /**
   * The workflow follows the first transition whose conditions are satisfied. It ends at a node without transitions.
   */
  transitions: z.array(transition).exactOptional(),
});

export type NodeDefinition = z.infer<typeof node>;

export const workflowShape = z.strictObject({
  name: z.string(),
  title: z.string(),
  /** The schema that defines the variables. */
  variables: z.string(),
  /** Variables that clients cannot set. */
  keeps: names.exactOptional(),
  /** Restricts which documents the workflow can start on. */
  runsOn: z
    .strictObject({
      types: names.exactOptional(),
      /** The life cycle states of documents on which the workflow cannot start. */
      notIn: names.exactOptional(),
      /** Whether the documents must be unlocked. */
      unlocked: z.boolean().exactOptional(),
      /** Whether several instances can run on one document at the same time. */
      repeatedly: z.boolean().exactOptional(),
    })
    .exactOptional(),
  whenCanceled: z.array(action).exactOptional(),
  /** The nodes; the workflow starts at the first one. */
  nodes: z.array(node).min(1),
});

export type WorkflowDefinition = z.infer<typeof workflowShape>;
