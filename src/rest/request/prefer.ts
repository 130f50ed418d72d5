import type { Request } from 'express';

/** RFC 7240: unknown names are refused, not ignored. */
const strict = /(^|,)\s*handling\s*=\s*"?strict"?\s*(;|,|$)/i;

const explain = /(^|,)\s*explain\s*(;|,|$)/i;

export const prefersStrict = (prefer: string): boolean => strict.test(prefer);

/** Whether the call is to be explained, and undone. */
export const prefersExplain = ({ headers: { prefer } }: Pick<Request, 'headers'>): boolean =>
  prefer !== undefined && explain.test(String(prefer));
