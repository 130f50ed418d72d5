interface Transition {
  readonly from: readonly string[];
  readonly to: string;
}

/** §3: the life cycle `default`, which all document types have. */
export const lifeCycle: {
  readonly initial: string;
  readonly transitions: Readonly<Record<string, Transition>>;
} = {
  initial: 'project',
  transitions: {
    approve: { from: ['project'], to: 'approved' },
    obsolete: { from: ['project'], to: 'obsolete' },
    backToProject: { from: ['approved', 'obsolete'], to: 'project' },
    // The trash is a flag, not a state (§3); these two set and clear it.
    delete: { from: ['project', 'approved', 'obsolete'], to: 'deleted' },
    undelete: { from: ['deleted'], to: 'project' },
  },
};

/** The transitions that a document can follow from its current state. */
export const transitionsFrom = ({ state, isTrashed }: { state: string; isTrashed: boolean }): string[] =>
  Object.entries(lifeCycle.transitions)
    .filter(([name, { from }]) => {
      if (name === 'delete') return !isTrashed;
      return name === 'undelete' ? isTrashed : from.includes(state);
    })
    .map(([name]) => name);
