import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { TextField as AriaTextField, Label, TextArea } from 'react-aria-components';
import { FieldNotes } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { type Suggestion, useSuggestions } from '../values/suggestions.ts';

/**
 * Matches an `@` that begins a mention and what is typed after it, up to the cursor: at most two words, such as a first
 * and a last name.
 */
const mentionStart = /(?<![\p{L}\p{N}_.+-])@(\S{0,60}(?: \S{1,60})?)$/u;

/** How a text mentions a user, as the server reads it: `@username`, with quotation marks around blanks. */
const mentionOf = (id: string): string => (/\s/.test(id) ? `@"${id}"` : `@${id}`);

interface MentionFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}

/** A text area for a comment, in which an `@` suggests people to mention. */
export function MentionField({ label, value, onChange, autoFocus = false }: MentionFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [cursor, setCursor] = useState(0);
  const [nextCursor, setNextCursor] = useState<number>();
  /** The place of an `@` for which no more people are suggested, because one was chosen or the list was closed. */
  const [closedAt, setClosedAt] = useState<number>();
  const [at, setAt] = useState(0);
  const typed = mentionStart.exec(value.slice(0, cursor));
  const isMentioning = typed !== null && typed.index !== closedAt;
  const found = useSuggestions({ to: 'user' }, typed?.[1] ?? '', isMentioning);
  const people = isMentioning ? found : [];
  const active = Math.min(at, people.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  useLayoutEffect(() => {
    if (nextCursor === undefined) return;
    area.current?.setSelectionRange(nextCursor, nextCursor);
    setCursor(nextCursor);
    setNextCursor(undefined);
  }, [nextCursor]);
  const moved = () => setCursor(area.current?.selectionStart ?? 0);
  const choose = ({ id }: Suggestion) => {
    if (!typed) return;
    const before = `${value.slice(0, typed.index)}${mentionOf(id)} `;
    onChange(before + value.slice(cursor).replace(/^ /, ''));
    setNextCursor(before.length);
    setClosedAt(typed.index);
    area.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const person = people[active];
    if (!person) return;
    if (event.key === 'ArrowDown') setAt((active + 1) % people.length);
    else if (event.key === 'ArrowUp') setAt((active + people.length - 1) % people.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(person);
    else if (event.key === 'Escape') setClosedAt(typed?.index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <AriaTextField
      value={value}
      onChange={(changed) => {
        setAt(0);
        moved();
        onChange(changed);
      }}
      autoFocus={autoFocus}
      className="field mention-field"
    >
      <Label>{label}</Label>
      <TextArea
        ref={area}
        rows={2}
        className="input"
        onKeyDownCapture={press}
        onSelect={moved}
        onBlur={() => setClosedAt(typed?.index)}
        aria-autocomplete="list"
        aria-controls={people.length > 0 ? listId : undefined}
        aria-activedescendant={people.length > 0 ? optionId(active) : undefined}
      />
      <FieldNotes hint={text('comments.mentionHint')} />
      {people.length > 0 && (
        <div id={listId} role="listbox" aria-label={text('comments.people')} className="popover mention-list">
          {people.map((person, index) => (
            <div
              key={person.id}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className="option"
              data-focused={index === active || undefined}
              onPointerDown={(event) => {
                event.preventDefault(); // The text area keeps the focus.
                choose(person);
              }}
            >
              {person.label}
              {person.detail !== person.label && <span className="hint"> {person.detail}</span>}
            </div>
          ))}
        </div>
      )}
    </AriaTextField>
  );
}
