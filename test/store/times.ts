/** Does something several times at once. */
export const times = <T>(count: number, work: (index: number) => PromiseLike<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, async (_, index) => work(index)));
