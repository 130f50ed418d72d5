import { anyObject } from '../../model/values/any-object.ts';
import { bodyReader } from '../request/body.ts';

/** What the action is given, such as the properties that it sets. */
export const bulkParameters = bodyReader(
  anyObject('the body is no JSON object').nullish().meta({ title: 'BulkParameters' }),
  (parameters) => parameters ?? {},
);
