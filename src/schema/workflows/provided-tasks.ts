import { builder, Tasks } from '../../graphql/builder.ts';
import { fixedOrderPage, pageCost } from '../../graphql/page.ts';
import type { Context } from '../../loaders/context.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import { type ProvidedRequest, positionalValues } from '../../loaders/search/other-providers.ts';
import { actorNames, namesOfActors, type TaskFilter, type TaskRow } from '../../loaders/workflows/tasks.ts';
import { isUuid } from '../../model/names.ts';
import type { OtherProvider } from '../../model/search/other-providers.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { otherProviderArguments, PageProviderType, resultsOf } from '../search/page-provider.ts';

/**
 * Returns the open tasks that a page provider finds, except other users' tasks that the caller is not allowed to see.
 */
async function providedTasks(
  context: Context,
  provider: OtherProvider,
  request: ProvidedRequest,
): Promise<PageShape<TaskRow>> {
  const { load, user } = context;
  const values = positionalValues(context, provider, request);
  requireStorable(Object.values(values));
  const [document] = values.documentId ?? [];
  const [workflow] = values.workflowId ?? [];
  const [node] = values.nodeName ?? [];
  const isOwn = provider.takes.length === 0;
  const filter: Partial<TaskFilter> = {
    ...(isOwn && { actors: actorNames(user) }),
    ...(values.actors && { assigned: namesOfActors(values.actors) }),
    ...(values.actorsOrDelegates && { actors: namesOfActors(values.actorsOrDelegates) }),
    ...(!user.isAdministrator && { visibleTo: actorNames(user) }),
    ...(workflow !== undefined && { workflow }),
    ...(node !== undefined && { node }),
  };
  const isPossible = [document, workflow].every((id) => id === undefined || isUuid(id));
  return fixedOrderPage(request, async (part) =>
    isPossible ? load.tasks(filter, part, document?.toLowerCase()) : { rows: [], total: 0 },
  );
}

builder.objectField(PageProviderType, 'tasks', (t) =>
  t.field({
    type: Tasks,
    nullable: true,
    description: 'The open tasks that the page provider returns; null if it returns something else.',
    args: otherProviderArguments,
    complexity: pageCost,
    resolve: resultsOf('tasks', providedTasks),
  }),
);
