import { Forbidden, Invalid } from '../../../errors.ts';
import { readPermissionFor } from '../../../loaders/acls/access.ts';
import type { Context } from '../../../loaders/context.ts';
import { lockDocuments } from '../../../store/row-locks/lock-documents.ts';
import { createTask } from '../../../store/workflows/create-task.ts';
import type { Call } from '../../call.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { date, fewTexts, flag, longText, text, texts } from '../../params/kinds.ts';

/**
 * Returns the user and group names in a variable.
 * @throws Invalid if the variable does not contain a list of strings
 */
function namesIn({ variables }: Call, name: string): readonly string[] {
  const read = texts.read.safeParse(variables.get(name) ?? []);
  if (read.success) return read.data;
  throw new Invalid(`variable name for actors prefixed ids: ${name} must be a list of strings.`);
}

/**
 * Checks that the caller is allowed to call a chain. The check is necessary because the chain will run with the
 * permissions of the user who completes the task, although that user did not choose the chain.
 * @throws Forbidden, NotFound
 */
function requireChain(context: Context, call: Call, param: string, name: string | undefined): void {
  if (!name) return;
  if (!context.user.isAdministrator)
    throw new Forbidden(`${param}: only administrators can specify an operation or a chain.`);
  call.requireOperation(name);
}

export const taskCreate = documentMutation({
  id: 'Task.Create',
  aliases: ['Workflow.CreateTask'],
  label: 'Create task',
  category: 'Workflow Context',
  description:
    'Creates a task about the document with the buttons `accept` and `reject`, and returns the document. The actors in both parameters for actors are combined.',
  example: {
    before: [newLetter],
    input: '{letter}',
    params: { 'task name': 'Check it', 'additional list of actors prefixed ids': ['user:ina'] },
  },
  needs: 'Read',
  params: {
    'task name': text.required('The name of the task.'),
    'due date': date.optional('The due date.'),
    directive: longText.optional('The instructions.'),
    comment: longText.optional('The first comment on the task.'),
    'accept operation chain': text.optional(
      'An operation or a chain that runs on the document when the task is accepted. Only for administrators.',
    ),
    'reject operation chain': text.optional(
      'An operation or a chain that runs on the document when the task is rejected. Only for administrators.',
    ),
    'variable name for actors prefixed ids': text.optional(
      'The name of a variable that contains actors, as user:NAME, group:NAME or names without prefix.',
    ),
    'additional list of actors prefixed ids': fewTexts.withDefault([], 'Additional actors.'),
    'create one task per actor': flag.withDefault(true, 'Whether each actor gets a separate task.'),
  },
  run: async (context, reference, params, call) => {
    const { directive, comment } = params;
    const acceptChain = params['accept operation chain'];
    const rejectChain = params['reject operation chain'];
    requireChain(context, call, 'accept operation chain', acceptChain);
    requireChain(context, call, 'reject operation chain', rejectChain);
    const variable = params['variable name for actors prefixed ids'];
    const fromVariable = variable === undefined ? [] : namesIn(call, variable);
    const participants = [...new Set([...fromVariable, ...params['additional list of actors prefixed ids']])];
    await createTask(context, {
      document: reference,
      comment,
      variables: {
        name: params['task name'],
        directive: directive ?? null,
        participants,
        together: !params['create one task per actor'],
        dueDate: params['due date'] ?? null,
        acceptChain: acceptChain ?? null,
        rejectChain: rejectChain ?? null,
      },
    });
    const [row = null] = await lockDocuments(context, [{ reference, needs: readPermissionFor }], 'KEY SHARE');
    return row;
  },
});
