import { z } from 'zod';
import type { NamedOperation } from '../../../loaders/context.ts';
import { type BulkAction, changeAction } from '../bulk-action.ts';
import { onlyThese, requiredText } from '../parameters.ts';

const parameters = onlyThese({
  operationId: requiredText,
  parameters: z
    .record(z.string(), z.unknown(), 'is no object')
    .nullish()
    .transform((given) => given ?? {}),
});

const operationOf = (given: z.output<typeof parameters>): NamedOperation => ({
  name: given.operationId,
  parameters: given.parameters,
});

const runs = (name: string): BulkAction =>
  changeAction({
    name,
    parameters,
    check: (context, given) => context.operations.check(context, operationOf(given)),
    run: (context, id, given) => context.operations.run(context, id, operationOf(given)),
  });

export const automationAction = runs('automation');

/** The same, by the name that the published components use. */
export const automationUiAction = runs('automationUi');
