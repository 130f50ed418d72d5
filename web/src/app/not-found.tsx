import { SearchX } from 'lucide-react';
import { Empty, WaysOn } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { useTitle } from './title.ts';

export function NotFound() {
  useTitle(text('notFound'));
  return (
    <>
      <h1 className="visually-hidden">{text('notFound')}</h1>
      <Empty icon={SearchX}>
        {text('notFound')}
        <WaysOn />
      </Empty>
    </>
  );
}
