import { FileText, Search } from 'lucide-react';
import {
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  useDeferredValue,
  useRef,
  useState,
} from 'react';
import { Input, SearchField } from 'react-aria-components';
import { Link, useLocation, useNavigate } from 'react-router';
import { documentAddress } from '../listing/address.ts';
import { useSuggestedDocuments } from '../search/suggested-documents.tsx';
import { text } from '../texts/text.ts';

/** The search box on every screen except the search screen, which has its own. It suggests documents while the user types. */
export function FindBox() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const box = useRef<HTMLElement>(null);
  const [words, setWords] = useState('');
  const [isOpen, setOpen] = useState(false);
  const documents = useSuggestedDocuments(useDeferredValue(isOpen ? words : ''));
  const results = `/search?words=${encodeURIComponent(words)}`;
  const leave = () => setOpen(false);
  const open = () => {
    leave();
    setWords('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    leave();
    void navigate(results);
  };
  const blur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) leave();
  };
  /** The arrow keys move the focus between the field and the links below it. */
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave();
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const places = [...(box.current?.querySelectorAll<HTMLElement>('input, a') ?? [])];
    if (by === undefined || places.length < 2) return;
    event.preventDefault();
    const place = places.indexOf(document.activeElement as HTMLElement);
    places[(place + by + places.length) % places.length]?.focus();
  };
  if (pathname === '/search') return <div className="find-place" />;
  return (
    <search ref={box} className="find" onBlur={blur} onKeyDown={press}>
      <form onSubmit={submit}>
        <Search size={16} aria-hidden />
        <SearchField
          aria-label={text('nav.find')}
          value={words}
          onChange={(typed) => {
            setWords(typed);
            setOpen(true);
          }}
        >
          <Input placeholder={text('nav.find')} />
        </SearchField>
        {isOpen && documents.length > 0 && (
          <nav className="find-list popover" aria-label={text('search.suggestions')}>
            <ul>
              {documents.map(({ id, label }) => (
                <li key={id}>
                  <Link className="option" to={documentAddress(id)} onClick={open}>
                    <FileText size={16} aria-hidden /> <span className="ellipsis">{label}</span>
                  </Link>
                </li>
              ))}
              <li>
                <Link className="option" to={results} onClick={leave}>
                  <Search size={16} aria-hidden />{' '}
                  <span className="ellipsis">{text('search.all', { words })}</span>
                </Link>
              </li>
            </ul>
          </nav>
        )}
      </form>
    </search>
  );
}
