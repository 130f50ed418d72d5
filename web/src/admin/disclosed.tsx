import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';

interface DisclosedProps {
  readonly name: string;
  readonly hint: string;
  readonly children: ReactNode;
}

/** A part of the model whose details are shown when the user expands it. */
export function Disclosed({ name, hint, children }: DisclosedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure className="disclosure card" isExpanded={isOpen} onExpandedChange={setOpen}>
      <Heading level={3}>
        <AriaButton slot="trigger" className="disclosure-button">
          <ChevronRight size={16} aria-hidden />
          {name} <span className="hint">{hint}</span>
        </AriaButton>
      </Heading>
      <DisclosurePanel>{isOpen && children}</DisclosurePanel>
    </Disclosure>
  );
}
