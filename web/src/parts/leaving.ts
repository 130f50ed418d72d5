import { useEffect } from 'react';

const reasons = new Set<string>();

const ask = (event: Event): void => event.preventDefault();

/**
 * Adds or removes a reason, such as a running upload, for which the browser asks for confirmation before it closes the
 * page.
 */
export function askBeforeLeaving(reason: string, applies: boolean): void {
  if (applies) reasons.add(reason);
  else reasons.delete(reason);
  if (reasons.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

/** Like `askBeforeLeaving`, but also removes the reason when the component unmounts. */
export const useAskBeforeLeaving = (reason: string, applies: boolean): void =>
  useEffect(() => {
    askBeforeLeaving(reason, applies);
    return () => askBeforeLeaving(reason, false);
  }, [reason, applies]);
