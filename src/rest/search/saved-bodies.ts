import { z } from 'zod';
import { resultLimits } from '../../model/search/result-limits.ts';
import { givenQueryParams } from '../../model/search/saved-search.ts';
import { anyObject } from '../../model/values/any-object.ts';
import { textList } from '../../model/values/json-shapes.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText } from '../request/body.ts';

const mostInt = 2 ** 31 - 1;

/** Clients send numbers, and the texts that answers have. */
const wholeFrom = (least: number) => {
  const fault = `is no whole number from ${least} on`;
  const fits = (value: number | null) =>
    value === null || (Number.isInteger(value) && value >= least && value <= mostInt);
  const fromText = z
    .string()
    .transform((text) => (text === '' ? null : (resultLimits[text] ?? Number(text))));
  return z.union([z.number(), fromText], fault).refine(fits, fault).nullish();
};

const texts = z.union([textList('', ''), z.string().transform(givenQueryParams)], 'is no text').nullish();

/** §4.7 */
export const savedSearchBody = bodyReader(
  objectShape('SavedSearchBody', {
    'entity-type': entityTypeShape('savedSearch'),
    id: optionalText,
    title: optionalText,
    queryParams: texts,
    query: optionalText,
    queryLanguage: optionalText,
    pageProviderName: optionalText,
    pageSize: wholeFrom(-1),
    currentPageIndex: wholeFrom(0),
    maxResults: wholeFrom(-2),
    sortBy: optionalText,
    sortOrder: optionalText,
    contentViewData: optionalText,
    params: anyObject('is no object').nullish(),
  }),
  ({ 'entity-type': _, id: __, ...search }) => search,
);
