import { text } from '../texts/text.ts';
import { readNumber } from './numbers.ts';

/** Whether a number, as fields of numbers are marked, is none, or not as whole as it should be. */
function isNoNumber({ inputMode, value }: HTMLInputElement): boolean {
  const number = inputMode === '' ? null : readNumber(value);
  if (number === null) return false;
  return !(inputMode === 'numeric' ? Number.isSafeInteger(number) : Number.isFinite(number));
}

/** Its text is none of a value: to the page it would be the same as none. */
const isBad = (input: HTMLInputElement): boolean => input.validity.badInput || isNoNumber(input);

const reasonOf = ({ inputMode, validationMessage }: HTMLInputElement): string =>
  validationMessage || text(inputMode === 'numeric' ? 'form.whole' : 'form.number');

/** Why a form cannot be sent yet: half a date or a number that is none, which is pointed out, or a file on its way. */
export function unfinished(form: Element): string | undefined {
  if (form.querySelector('[aria-busy=true]')) return text('form.uploading');
  const bad = [...form.querySelectorAll('input')].find(isBad);
  bad?.focus();
  return bad && `${bad.labels?.[0]?.textContent ?? ''}: ${reasonOf(bad)}`;
}
