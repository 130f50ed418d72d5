import { expect } from '@jest/globals';
import type { Test } from 'supertest';
import { atId } from '../../support/documents.ts';
import type { Requests } from '../../support/requests.ts';

export interface CommentEntity {
  readonly 'entity-type': string;
  readonly id: string;
  readonly parentId: string;
  readonly author: string;
  readonly text: string;
  readonly creationDate: string;
  readonly modificationDate: string;
  readonly [field: string]: unknown;
}

export const atComments = (id: string, rest = ''): string => `${atId(id)}/@comment${rest}`;

export const commentBody = (text: string, more: Record<string, unknown> = {}) => ({
  'entity-type': 'comment',
  text,
  ...more,
});

/** What the browser application sends. */
export const sendComment = (
  request: Requests,
  id: string,
  text: string,
  more: Record<string, unknown> = {},
): Test => request.post(atComments(id)).send(commentBody(text, { parentId: id, ...more }));

/** A comment on a document, or a reply to a comment. */
export async function comment(
  request: Requests,
  id: string,
  text = 'Nice',
  more: Record<string, unknown> = {},
): Promise<CommentEntity> {
  const { status, body } = await sendComment(request, id, text, more);
  expect([status, body.message]).toEqual([201, undefined]);
  return body;
}

export async function commentsOn(request: Requests, id: string, query = ''): Promise<CommentEntity[]> {
  const { body } = await request.get(atComments(id, query)).expect(200);
  return body.entries;
}

export const textsOf = (comments: readonly CommentEntity[]): string[] => comments.map(({ text }) => text);
