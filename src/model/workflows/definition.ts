/**
 * Workflow models as they are written down: by the stock literals of this folder and by the JSON files of MODEL_DIR.
 * A model is a graph: a workflow stands at a node until its tasks there are ended, and goes on along the first
 * transition that fits.
 */

/** What is to be true of a variable. */
export type Condition =
  | { variable: string; is: string | number | boolean }
  | { variable: string; below: number }
  /** A place, from 0, that the list in another variable has. */
  | { variable: string; within: string };

/** What becomes of a variable. */
export type Change =
  | { variable: string; set: string | number | boolean | null }
  | { variable: string; add: number };

/** What is done with the attached documents; what cannot be done with one of them is left out. */
export type Deed =
  /** In the initiator's name. */
  | { do: 'lock' | 'unlock' }
  | { do: 'follow'; transition: string }
  | { do: 'checkIn'; increment: 'MINOR' | 'MAJOR' };

/** How a task may be ended. */
export interface ButtonDefinition {
  name: string;
  /** A label key, as all texts of a model. */
  label: string;
  /** Whether the variables that the task takes and needs count then. */
  validate: boolean;
}

/** What people are asked to do while a workflow stands at a node. */
export interface TaskDefinition {
  name: string;
  directive: string;
  /** Who: one task for the initiator, for the member of a list at a place, or for each member. */
  actors: 'initiator' | { variable: string; at?: string };
  /** Until when: so many days from its beginning, or a date. */
  due?: { days: number } | { variable: string };
  /** What its actors may do with the attached documents meanwhile. */
  permission?: 'Read' | 'ReadWrite';
  /** Whether its actors may be replaced. */
  reassignable?: boolean;
  /** The variables that it shows. */
  shows: readonly string[];
  /** Those of them that may be set, and that must be. */
  takes?: readonly string[];
  needs?: readonly string[];
  buttons: readonly ButtonDefinition[];
  /** The list that gains each answer, as `{participant, result, comment}`. */
  records?: string;
}

export interface TransitionDefinition {
  to: string;
  /** The button that leads here; any when absent. Where there are several tasks, that of the last one. */
  button?: string;
  /** All of these. */
  when?: readonly Condition[];
  changes?: readonly Change[];
}

export interface NodeDefinition {
  id: string;
  title?: string;
  /** Where it is drawn, in pixels; at 0, 0 when absent. */
  place?: { x: number; y: number };
  /** What is done on coming here. */
  deeds?: readonly Deed[];
  task?: TaskDefinition;
  /** The first that fits is followed; a node without any is an end. */
  transitions?: readonly TransitionDefinition[];
}

export interface WorkflowDefinition {
  name: string;
  title: string;
  /** The schema of its variables. */
  variables: string;
  /** Variables that the workflow alone sets. */
  keeps?: readonly string[];
  /** On which documents it may start, besides those that nobody may write: on all when absent. */
  runsOn?: {
    types?: readonly string[];
    /** In none of these states. */
    notIn?: readonly string[];
    /** Only while nobody has locked them. */
    unlocked?: boolean;
  };
  /** What is done when it is canceled. */
  whenCanceled?: readonly Deed[];
  /** The first one is the start. */
  nodes: readonly NodeDefinition[];
}
