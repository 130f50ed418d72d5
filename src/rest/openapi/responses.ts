import type { Route } from '../route.ts';
import type { Content } from './answers.ts';
import type { Json } from './json-schema.ts';

/** A success of a row: its description, and whatever else it has. */
const success = (description: string, content: Content = {}, headers?: Json): Json => ({
  description,
  ...(headers && { headers }),
  ...(Object.keys(content).length > 0 && { content }),
});

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const etag: Json = {
  ETag: text('Names the state: the change token, and a hash of what else the answer shows.'),
};
const location: Json = { Location: text('Where the execution is to be asked for.') };

/** What 204 says of a row that has it besides. */
function nothingOf({ absent, besides, method, answer }: Route): string[] {
  return [
    ...(besides?.status === 204 ? [besides.says] : []),
    ...(absent ? ['There is none of that name.'] : []),
    ...(answer === 'result' ? ['There is nothing to answer.'] : []),
    ...(method === 'get' ? [] : ['Nothing is answered, as `X-SvcVoidOperation` says.']),
  ];
}

const meanings: Readonly<Record<Route['status'], string>> = {
  200: 'Done: what was asked for.',
  201: 'Created: what is there now.',
  204: 'Done.',
};

/** What a row answers when all goes well, by status. */
export function successesOf(route: Route, content: Content, isDocument: boolean): Record<string, Json> {
  const { answer, besides, status, method } = route;
  const nothing = nothingOf(route);
  const isRead = method === 'get';
  const isVoid = answer === 'result' && Object.keys(content).length === 0;
  return {
    ...(nothing.length > 0 && { 204: success(nothing.join(' ')) }),
    ...(!isVoid && { [status]: success(meanings[status], content, isDocument ? etag : undefined) }),
    ...(besides?.status === 202 && { 202: success(besides.says, content) }),
    ...(answer === 'execution' && {
      202: success('It is under way.', content),
      303: success('It is done: its answer is elsewhere.', {}, location),
    }),
    ...(answer === 'bytes' && { 206: success('The bytes of the range.', content) }),
    ...(isRead &&
      (isDocument || answer === 'bytes') && {
        304: success('The caller has it already, as `If-None-Match` says.'),
      }),
  };
}

/** What calling an operation without waiting answers. */
export const accepted: Json = { 202: success('It is under way.', {}, location) };
