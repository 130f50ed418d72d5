import { z } from 'zod';
import { anyObject } from '../../model/values/any-object.ts';
import { parseJsonOrNothing } from '../../model/values/json-budget.ts';

import { type ParamKind, paramKind } from './param.ts';

const maxItems = 1000;

const json = z.preprocess(
  (given) => (typeof given === 'string' ? parseJsonOrNothing(given, 'the text') : given),
  z.unknown(),
);

const listOf = <Item>(
  itemOf: (message: string) => z.ZodType<Item>,
  message: string,
): ParamKind<readonly Item[]> =>
  paramKind(
    'string',
    'JSON',
    json.pipe(z.array(itemOf(message), message).max(maxItems, `has more than ${maxItems} items`)),
  );

export const jsonRecords = listOf((message) => anyObject(message), 'must be a list of objects in JSON');

export const jsonIds = listOf(
  (message) => z.union([z.string(), z.number().transform(String)], message),
  'must be a list of ids in JSON',
);
