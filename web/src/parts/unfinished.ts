import { text } from '../texts/text.ts';

/** What the browser allows, since its steps begin at the stored value. */
const isFraction = ({ type, step, value }: HTMLInputElement): boolean =>
  type === 'number' && step === '1' && !Number.isSafeInteger(Number(value));

/** Its text is none of a value: to the page it would be the same as none. */
const isBad = (input: HTMLInputElement): boolean => input.validity.badInput || isFraction(input);

/** Why a form cannot be sent yet: half a date or a number that is none, which is pointed out, or a file on its way. */
export function unfinished(form: Element): string | undefined {
  if (form.querySelector('[aria-busy=true]')) return text('form.uploading');
  const bad = [...form.querySelectorAll('input')].find(isBad);
  bad?.focus();
  return bad && `${bad.labels?.[0]?.textContent ?? ''}: ${bad.validationMessage || text('form.whole')}`;
}
