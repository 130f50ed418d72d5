import { Code, MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Menu } from '../parts/menu.tsx';
import { type TextKey, text } from '../texts/text.ts';

interface QueryMenuProps {
  /** The search in each query language that programs can use, keyed by the label of the language. */
  readonly queries: Readonly<Partial<Record<TextKey, string>>>;
}

/** A menu that shows the search as a query that users can copy into a program. */
export function QueryMenu({ queries }: QueryMenuProps) {
  const [shown, setShown] = useState<TextKey>();
  const keys = Object.keys(queries) as TextKey[];
  return (
    <>
      <Menu
        label={text('search.more')}
        trigger={
          <AriaButton className="icon-button" aria-label={text('search.more')}>
            <MoreHorizontal size={18} aria-hidden />
          </AriaButton>
        }
        entries={keys.map((key) => ({
          id: key,
          label: text(key),
          icon: Code,
          onAction: () => setShown(key),
        }))}
      />
      {shown && (
        <Dialog title={text(shown)} onClose={() => setShown(undefined)} size="wide">
          <pre className="code">{queries[shown]}</pre>
          <footer className="dialog-foot">
            <CopyButton value={queries[shown] ?? ''} />
            <Button kind="main" onPress={() => setShown(undefined)}>
              {text('close')}
            </Button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
