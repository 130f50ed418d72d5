import { z } from 'zod';
import { Invalid } from '../../../errors.ts';
import { unknownName } from '../../../near-names.ts';
import type { Scope } from '../../../scope.ts';
import { addFacet, removeFacet } from '../../documents/facets.ts';
import { changeAction } from '../bulk-action.ts';
import { requiredString } from '../parameters.ts';

const parameters = z.object({ facet: requiredString });

function check({ services: { model } }: Scope, { facet }: z.output<typeof parameters>): void {
  if (!model.facets.has(facet)) throw new Invalid(unknownName('facet', facet, model.facets.keys()));
}

export const addFacetAction = changeAction({
  name: 'addFacet',
  parameters,
  check,
  run: (scope, id, { facet }) => addFacet(scope, { id }, facet),
});

export const removeFacetAction = changeAction({
  name: 'removeFacet',
  parameters,
  check,
  run: (scope, id, { facet }) => removeFacet(scope, { id }, facet),
});
