import { useEffect } from 'react';

const reasons = new Set<string>();

const ask = (event: Event): void => event.preventDefault();

/** Sets or clears a reason, such as running uploads, for which the browser asks before it closes the page. */
export function askBeforeLeaving(reason: string, applies: boolean): void {
  if (applies) reasons.add(reason);
  else reasons.delete(reason);
  if (reasons.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

/** Sets or clears a reason to ask before leaving, and clears it when the component is removed. */
export const useAskBeforeLeaving = (reason: string, applies: boolean): void =>
  useEffect(() => {
    askBeforeLeaving(reason, applies);
    return () => askBeforeLeaving(reason, false);
  }, [reason, applies]);
