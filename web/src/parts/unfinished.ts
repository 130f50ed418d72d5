import { text } from '../texts/text.ts';
import { readNumber } from './numbers.ts';

/** Whether an input for numbers, recognized by its input mode, contains text that is not such a number. */
function isInvalidNumber({ inputMode, value }: HTMLInputElement): boolean {
  const number = inputMode === '' ? null : readNumber(value);
  if (number === null) return false;
  return !(inputMode === 'numeric' ? Number.isSafeInteger(number) : Number.isFinite(number));
}

/** Whether the text of an input is not a value. Without this check, the form would treat it like an empty field. */
const isInvalid = (input: HTMLInputElement): boolean => input.validity.badInput || isInvalidNumber(input);

const reasonOf = ({ inputMode, validationMessage }: HTMLInputElement): string =>
  validationMessage || text(inputMode === 'numeric' ? 'form.whole' : 'form.number');

/**
 * The reason why a form cannot be submitted yet: an incomplete date or an invalid number, which gets the focus, or a
 * file that is still uploading. Undefined if the form can be submitted.
 */
export function unfinished(form: Element): string | undefined {
  if (form.querySelector('[aria-busy=true]')) return text('form.uploading');
  const invalid = [...form.querySelectorAll('input')].find(isInvalid);
  invalid?.focus();
  return invalid && `${invalid.labels?.[0]?.textContent ?? ''}: ${reasonOf(invalid)}`;
}
