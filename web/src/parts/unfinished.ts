import { text } from '../texts/text.ts';

/** Its text is none of a value: to the page it would be the same as none. */
const isBad = ({ type, validity }: HTMLInputElement): boolean =>
  validity.badInput || (type === 'number' && (validity.stepMismatch || validity.rangeOverflow));

/** Why a form cannot be sent yet: half a date or a number that is none, which is pointed out, or a file on its way. */
export function unfinished(form: Element): string | undefined {
  if (form.querySelector('[aria-busy=true]')) return text('form.uploading');
  const bad = [...form.querySelectorAll('input')].find(isBad);
  bad?.focus();
  return bad && `${bad.labels?.[0]?.textContent ?? ''}: ${bad.validationMessage}`;
}
