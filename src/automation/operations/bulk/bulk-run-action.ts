import { bulkStatus } from '../../../store/bulk/status.ts';
import { submitBulkAction } from '../../../store/bulk/submit.ts';
import { operation } from '../../operation.ts';
import { fewTexts, propertyMap, text, texts } from '../../params/kinds.ts';

export const bulkRunAction = operation({
  id: 'Bulk.RunAction',
  label: 'Run a bulk command',
  category: 'Services',
  description:
    'Starts a bulk action on the documents found by a query or a page provider, and returns its bulkStatus.',
  example: {
    params: {
      action: 'setProperties',
      query: "SELECT * FROM Document WHERE ecm:primaryType = 'File'",
      parameters: { 'dc:source': 'by mail' },
    },
  },
  kind: 'mutation',
  gives: 'json',
  params: {
    action: text.required('The name of the action.'),
    query: text.optional('The NXQL query; required unless providerName is given.'),
    providerName: text.optional('The name of a page provider.'),
    queryParams: texts.optional('Values of the positional parameters.'),
    namedParameters: propertyMap.optional('Values of the named parameters.', {
      aliases: ['namedQueryParams'],
    }),
    quickFilters: fewTexts.optional('Names of the active quick filters.'),
    parameters: propertyMap.optional('The parameters of the action, such as the properties it sets.'),
  },
  run: async (context, _, { action, query, providerName, queryParams, namedParameters, ...given }) => {
    const command = await submitBulkAction(context, {
      action,
      query,
      provider: providerName,
      positional: queryParams,
      named: namedParameters,
      quickFilters: given.quickFilters,
      parameters: given.parameters ?? {},
    });
    const status = bulkStatus(command);
    return { 'entity-type': 'bulkStatus', ...status, value: status }; // Existing clients read `value`.
  },
});
