/** A step from a state to another one. */
export interface Transition {
  readonly from: readonly string[];
  readonly to: string;
}

/** §3: the life cycle `default`, which the documents of every type follow. */
export const lifeCycle: {
  readonly initial: string;
  readonly transitions: Readonly<Record<string, Transition>>;
} = {
  initial: 'project',
  transitions: {
    approve: { from: ['project'], to: 'approved' },
    obsolete: { from: ['project'], to: 'obsolete' },
    backToProject: { from: ['approved', 'obsolete'], to: 'project' },
    // The trash is a flag and no state (§3): these two set it and take it away.
    delete: { from: ['project', 'approved', 'obsolete'], to: 'deleted' },
    undelete: { from: ['deleted'], to: 'project' },
  },
};

/** The transitions that lead on from a state, by name. */
export const transitionsFrom = (state: string): string[] =>
  Object.entries(lifeCycle.transitions)
    .filter(([, { from }]) => from.includes(state))
    .map(([name]) => name);
