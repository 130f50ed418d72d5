import type { ButtonDefinition, NodeDefinition, TaskDefinition, WorkflowAction } from './definition.ts';

/**
 * Returns functions that create the parts of a review workflow.
 * @param prefix the prefix of the message keys
 * @param settings the variables that the initiator sets
 */
export function reviewParts(prefix: string, settings: string[]) {
  const label = (key: string): string => `${prefix}.${key}`;
  const button = (name: string, key = name, validate = true): ButtonDefinition => ({
    name,
    label: label(key),
    validate,
  });
  const step = (id: string, title: string, more: Omit<NodeDefinition, 'id' | 'title'>): NodeDefinition => ({
    id,
    title: label(title),
    ...more,
  });
  /** Returns a task in which the initiator sets the variables or cancels the review. */
  const settingsTask = (
    name: string,
    { directive, days, submit }: { directive: string; days: number; submit: ButtonDefinition },
  ): TaskDefinition => ({
    name: label(name),
    directive: label(directive),
    actors: 'initiator',
    due: { days },
    shows: settings,
    takes: settings,
    needs: ['participants', 'validationOrReview'],
    buttons: [button('cancel', 'cancel', false), submit],
  });
  return { label, button, step, settingsTask };
}

/** The actions performed on documents that a review approves. */
export const approvalActions: WorkflowAction[] = [
  { do: 'follow', transition: 'approve' },
  { do: 'checkIn', increment: 'MINOR' },
];
