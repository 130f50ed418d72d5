interface Transition {
  readonly from: readonly string[];
  readonly to: string;
}

/** The life cycle `default`, which all document types have (§3). */
export const lifeCycle: {
  readonly initial: string;
  readonly transitions: Readonly<Record<string, Transition>>;
} = {
  initial: 'project',
  transitions: {
    approve: { from: ['project'], to: 'approved' },
    obsolete: { from: ['project'], to: 'obsolete' },
    backToProject: { from: ['approved', 'obsolete'], to: 'project' },
    // The trash is represented by a flag, not by a state (§3). These two transitions set and clear the flag.
    delete: { from: ['project', 'approved', 'obsolete'], to: 'deleted' },
    undelete: { from: ['deleted'], to: 'project' },
  },
};

/** Returns the transitions that a document can follow from its current state. */
export const transitionsFrom = ({ state, isTrashed }: { state: string; isTrashed: boolean }): string[] =>
  Object.entries(lifeCycle.transitions)
    .filter(([name, { from }]) => {
      if (name === 'delete') return !isTrashed;
      return name === 'undelete' ? isTrashed : from.includes(state);
    })
    .map(([name]) => name);
