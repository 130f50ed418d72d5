/** Negative values of `maxResults` with a special meaning. */
export const noResultLimit = -1;
export const onePage = -2;

/** The names that existing clients send as values of `maxResults`. */
export const resultLimits: Readonly<Record<string, number>> = {
  PAGE_SIZE: onePage,
  DEFAULT_NAVIGATION_RESULTS: 200,
};
