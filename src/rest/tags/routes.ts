import { call, input } from '../../selection/selection.ts';
import { addressedGuard } from '../rights-first.ts';
import { del, documentAddresses, get, preconditions, putWithoutBody, type Route } from '../route.ts';

/** §4.7: the routes for the tags of a document. */
export const tagRoutes: readonly Route[] = documentAddresses.flatMap(({ at, by, document }): Route[] => {
  const tag = { ...document, ...preconditions, label: input('address.tag') };
  return [
    get(`${at}/@tags`, ({ tags }) => ({ document: call(document, { tags }) }), {
      name: `getTagsBy${by}`,
      summary: 'The tags of a document, each with the user who added it',
      resultPath: ['document', 'tags'],
    }),
    putWithoutBody(`${at}/@tags/:tag`, (show) => ({ addTag: call(tag, show.tag) }), {
      name: `addTagBy${by}`,
      summary: 'Tag a document',
      description: 'The response contains the tag as stored: in lower case, without spaces and slashes.',
      guard: addressedGuard('Read'),
    }),
    del(`${at}/@tags/:tag`, () => ({ removeTag: call(tag) }), {
      name: `removeTagBy${by}`,
      summary: 'Remove a tag from a document',
    }),
  ];
});
