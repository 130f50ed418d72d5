/** Values of `maxResults` below 0. */
export const noResultLimit = -1;
export const onePage = -2;

/** Words for values of `maxResults`, which existing clients send. */
export const resultLimits: Readonly<Record<string, number>> = {
  PAGE_SIZE: onePage,
  DEFAULT_NAVIGATION_RESULTS: 200,
};
