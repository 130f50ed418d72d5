import { z } from 'zod';
import { bodyReader } from '../request/body.ts';

/** What the action is given, such as the properties that it sets. */
export const bulkParameters = bodyReader(
  z.record(z.string(), z.unknown(), 'the body is no JSON object').nullish().meta({ title: 'BulkParameters' }),
  (parameters) => parameters ?? {},
);
