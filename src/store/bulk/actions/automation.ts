import { z } from 'zod';
import type { NamedOperation } from '../../../loaders/context.ts';
import { type BulkAction, changeAction } from '../bulk-action.ts';
import { onlyThese, requiredString } from '../parameters.ts';

const parameters = onlyThese({
  operationId: requiredString,
  parameters: z
    .record(z.string(), z.unknown(), 'must be an object')
    .nullish()
    .transform((input) => input ?? {}),
});

const operationOf = (input: z.output<typeof parameters>): NamedOperation => ({
  name: input.operationId,
  parameters: input.parameters,
});

const runs = (name: string): BulkAction =>
  changeAction({
    name,
    parameters,
    check: (context, input) => context.operations.check(context, operationOf(input)),
    run: (context, id, input) => context.operations.run(context, id, operationOf(input)),
  });

export const automationAction = runs('automation');

/** The `automation` action, under the name that existing web components use. */
export const automationUiAction = runs('automationUi');
