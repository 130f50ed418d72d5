const reasons = new Set<string>();

const ask = (event: Event): void => event.preventDefault();

/** Has the browser ask before it closes the page, as long as there is some reason, such as uploads. */
export function askBeforeLeaving(reason: string, isThere: boolean): void {
  if (isThere) reasons.add(reason);
  else reasons.delete(reason);
  if (reasons.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}
