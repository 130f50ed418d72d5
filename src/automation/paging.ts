import { readPage } from '../pages/page.ts';
import { whole } from './kinds.ts';
import { optionally } from './params.ts';

/** Which part of a long list an operation answers. */
export const pageParams = {
  pageSize: optionally(whole, 50, 'The most entries: up to 1000; 0 asks for as many.'),
  currentPageIndex: optionally(whole, 0, 'Which page, from 0.'),
};

/** Reads these parameters. @throws Invalid on negative numbers. */
export const pageOf = (given: { readonly pageSize: number; readonly currentPageIndex: number }) => {
  const { pageSize, offset, maxResults } = readPage(given);
  return { pageSize, offset, maxResults };
};
