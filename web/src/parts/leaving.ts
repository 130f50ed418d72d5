import { useEffect } from 'react';

const reasons = new Set<string>();

const ask = (event: Event): void => event.preventDefault();

/** Has the browser ask before it closes the page, as long as there is some reason, such as uploads. */
export function askBeforeLeaving(reason: string, isThere: boolean): void {
  if (isThere) reasons.add(reason);
  else reasons.delete(reason);
  if (reasons.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

/** The same for a part of the page, as long as it is shown. */
export const useAskBeforeLeaving = (reason: string, isThere: boolean): void =>
  useEffect(() => {
    askBeforeLeaving(reason, isThere);
    return () => askBeforeLeaving(reason, false);
  }, [reason, isThere]);
