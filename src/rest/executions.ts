import type { Request } from 'express';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { RequestOptions } from '../scope.ts';
import { type Answer, type Kept, toAnswer } from './answers.ts';
import type { Bytes } from './bytes.ts';
import { tagOf } from './etag.ts';
import type { Route } from './route.ts';
import type { Asked } from './serve.ts';

const nothing: Answer = { as: 'nothing', value: null };

/** What is kept of an answer. A sweep leaves the files in it alone for as long as it is kept. */
export async function toKept(
  route: Route,
  { headers, isSilent, caller }: Pick<Asked, 'headers' | 'isSilent' | 'caller'>,
  { shown, blobs }: { shown: unknown; blobs: BlobStore },
): Promise<Kept> {
  const answer = toAnswer(route, shown);
  const etag = tagOf({ entity: answer.value, headers, userId: caller.user.id });
  if (isSilent) return { status: 204, answer: nothing, ...(etag && { etag }) };
  const files = answer.as === 'bytes' || answer.as === 'parts' ? [answer.value as Bytes].flat() : [];
  await Promise.all(files.filter(({ text }) => text === null).map(({ digest }) => blobs.renew(digest)));
  return { status: route.status, answer, ...(etag && { etag }) };
}

/** Where clients find what a request addresses, whatever repository its headers name. */
export function addressOf(request: Request, { baseUrl, repository }: RequestOptions): string {
  const isNamed = request.params.repository !== undefined;
  return `${baseUrl}${isNamed ? '' : `/repo/${repository}`}${request.path.replace(/\/+$/, '')}`;
}
