/** Negative values of `maxResults` that have a special meaning. */
export const noResultLimit = -1;
export const onePage = -2;

/** The names that existing clients send instead of a number in `maxResults`. */
export const resultLimits: Readonly<Record<string, number>> = {
  PAGE_SIZE: onePage,
  DEFAULT_NAVIGATION_RESULTS: 200,
};
