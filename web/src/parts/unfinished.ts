import { text } from '../texts/text.ts';
import { readNumber } from './numbers.ts';

/** Returns whether an input for numbers contains text that is not a valid number. */
function isInvalidNumber({ inputMode, value }: HTMLInputElement): boolean {
  const number = inputMode === '' ? null : readNumber(value);
  if (number === null) return false;
  return !(inputMode === 'numeric' ? Number.isSafeInteger(number) : Number.isFinite(number));
}

/**
 * Returns whether an input contains invalid text. Such an input has an empty value, so without this check the form
 * would treat the field as empty.
 */
const isInvalid = (input: HTMLInputElement): boolean => input.validity.badInput || isInvalidNumber(input);

const reasonOf = ({ inputMode, validationMessage }: HTMLInputElement): string =>
  validationMessage || text(inputMode === 'numeric' ? 'form.whole' : 'form.number');

/**
 * Returns the reason why a form cannot be submitted yet; undefined if it can. The reason is an incomplete date or
 * invalid number, whose field then gets the focus, or a file that is still being uploaded.
 */
export function unfinished(form: Element): string | undefined {
  if (form.querySelector('[aria-busy=true]')) return text('form.uploading');
  const invalid = [...form.querySelectorAll('input')].find(isInvalid);
  invalid?.focus();
  return invalid && `${invalid.labels?.[0]?.textContent ?? ''}: ${reasonOf(invalid)}`;
}
