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
 * The open tasks that a page provider finds. If they include tasks of others, only those that the caller may
 * see are returned.
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
    description: 'The open tasks that it finds; null if it finds something else.',
    args: otherProviderArguments,
    complexity: pageCost,
    resolve: resultsOf('tasks', providedTasks),
  }),
);
