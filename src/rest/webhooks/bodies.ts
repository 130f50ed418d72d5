import { z } from 'zod';
import { textList } from '../../model/values/json-shapes.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText } from '../request/body.ts';

const names = textList('is no list', 'is no string').nullish();

/** Fields that are absent stay. */
export const webhookBody = bodyReader(
  objectShape('WebhookBody', {
    'entity-type': entityTypeShape('webhook'),
    url: optionalText,
    events: names,
    types: names,
    path: optionalText,
    enabled: z.boolean('is neither true nor false').nullish(),
    secret: optionalText,
  }),
  ({ 'entity-type': _, ...webhook }) => webhook,
);
