import type { Route } from '../../src/rest/route.ts';

/** The rows of automation operations are generated from a list that has its own tests. */
export const isOperation = ({ path }: Pick<Route, 'path'>): boolean =>
  /^\/automation\/(?!files)|\/@op\/|\/execute\//.test(path);
