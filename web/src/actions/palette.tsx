import { keepPreviousData } from '@tanstack/react-query';
import { Folder, type LucideIcon, Search, User, Users } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import {
  Dialog as AriaDialog,
  Autocomplete,
  Collection,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { useNavigate } from 'react-router';
import { screensFor } from '../app/places.ts';
import { useSession } from '../app/session.ts';
import { useAnswer } from '../graphql/client.ts';
import { paletteDocuments, suggestions } from '../graphql/operations.ts';
import { addressOf, documentsBy } from '../listing/address.ts';
import { kindOf } from '../listing/kinds.ts';
import { KeyHint } from '../parts/key-hint.tsx';
import { text } from '../texts/text.ts';
import { runOffer, useOffers } from './actions.ts';
import { close } from './open.ts';
import type { Subject } from './subject.ts';

interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly detail?: string | undefined;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

interface Section {
  readonly id: string;
  readonly label: string;
  readonly commands: readonly Command[];
}

/** The minimum number of typed characters before the server is asked. */
const minTyped = 2;

interface Suggested {
  readonly type: string;
  readonly id: string;
  readonly label: string;
}

/** Finds documents, users and groups on the server. Without typed text, it returns the documents changed last. */
function useFound(typed: string, go: (address: string) => void): readonly Section[] {
  const { user } = useSession();
  const term = typed.trim();
  const isAsked = term.length >= minTyped;
  const suggested = useAnswer(suggestions, { term }, { enabled: isAsked, placeholderData: keepPreviousData });
  const all = (isAsked ? (suggested.data?.searchSuggestersLauncher.json ?? []) : []) as readonly Suggested[];
  const ids = all.filter(({ type }) => type === 'document').map(({ id }) => id);
  const rows = useAnswer(
    paletteDocuments,
    { ids },
    { enabled: ids.length > 0, placeholderData: keepPreviousData },
  );
  const documents = (ids.length > 0 ? (rows.data?.documents ?? []) : []).flatMap((row) =>
    row && ids.includes(row.uid)
      ? [
          {
            id: row.uid,
            label: row.title,
            detail: row.path.split('/').slice(1, -1).join(' / '),
            icon: row.facets.includes('Folderish') ? Folder : kindOf(row).icon,
            run: () => go(addressOf(row)),
          },
        ]
      : [],
  );
  const people = all
    .filter(({ type }) => type !== 'document')
    .map(({ type, id, label }) => ({
      id: `${type} ${id}`,
      label,
      detail: label === id ? undefined : id,
      icon: type === 'user' ? User : Users,
      run: () =>
        go(
          type === 'group'
            ? `/admin/groups?name=${encodeURIComponent(id)}`
            : user.isAdministrator
              ? `/admin/users/${encodeURIComponent(id)}`
              : documentsBy(id),
        ),
    }))
    .filter(({ id }) => user.isAdministrator || id.startsWith('user '));
  return [
    { id: 'documents', label: text('nav.browse'), commands: documents },
    { id: 'people', label: text('palette.people'), commands: people },
  ];
}

/** Whether each typed word is the beginning of a word of a label, in any order and regardless of accents. */
export function matches(label: string, typed: string): boolean {
  const plain = (value: string) => value.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain(label).split(/[^\p{L}\p{N}]+/u);
  return plain(typed)
    .split(/\s+/)
    .every((wanted) => words.some((word) => word.startsWith(wanted)));
}

interface PaletteProps {
  readonly subject: Subject | undefined;
  /** What the user has already typed. */
  readonly typed: string;
}

/** A list of everything that the user can open or do, which is filtered by what is typed. */
export function Palette({ subject, typed: first }: PaletteProps) {
  const navigate = useNavigate();
  const { user } = useSession();
  const offersOf = useOffers();
  const [typed, setTyped] = useState(first);
  const go = (address: string) => void navigate(address);
  const found = useFound(useDeferredValue(typed), go);
  const title = subject?.documents.length === 1 ? subject.documents[0]?.title : undefined;
  const offers = subject ? offersOf(subject) : [];
  const actions: Section = {
    id: 'actions',
    label: title ? text('palette.actions', { title }) : text('actions'),
    commands: offers
      .filter(({ id }) => id !== 'open')
      .map((offer) => ({
        ...offer,
        id: `action ${offer.id}`,
        detail: offer.reason,
        run: () => runOffer(offer),
      })),
  };
  const places = screensFor(user.isAdministrator);
  const screens: readonly Section[] = (['screens', 'settings', 'administration'] as const).map((group) => ({
    id: group,
    label: text(`palette.${group}`),
    commands: places
      .filter((each) => each.group === group)
      .map(({ address, label, icon, run }) => ({
        id: `screen ${address}`,
        label: text(label),
        icon,
        run: run ?? (() => go(address)),
      })),
  }));
  const filter = ({ commands, ...section }: Section): Section => ({
    ...section,
    commands: commands.filter(({ label }) => matches(label, typed)),
  });
  // The name of a section, such as “Settings”, finds all its screens.
  const filterScreens = (section: Section): Section =>
    typed.trim() !== '' && matches(section.label, typed) ? section : filter(section);
  const search: Section = {
    id: 'search',
    label: text('nav.search'),
    commands: typed.trim()
      ? [
          {
            id: 'all results',
            label: text('search.all', { words: typed.trim() }),
            icon: Search,
            run: () => go(`/search?words=${encodeURIComponent(typed.trim())}`),
          },
        ]
      : [],
  };
  const sections = [filter(actions), ...found, ...screens.map(filterScreens), search].filter(
    ({ commands }) => commands.length > 0,
  );
  const commands = new Map(sections.flatMap((section) => section.commands.map((each) => [each.id, each])));
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && close()} className="overlay high">
      <Modal className="modal palette">
        <AriaDialog aria-label={text('palette')} className="palette-dialog">
          <Autocomplete inputValue={typed} onInputChange={setTyped} disableAutoFocusFirst={false}>
            <SearchField aria-label={text('palette')} autoFocus className="palette-field">
              <Search size={18} aria-hidden />
              <Input placeholder={text('palette.hint')} />
            </SearchField>
            <ListBox
              aria-label={text('palette')}
              className="list-box palette-list"
              items={sections}
              selectionMode="none"
              onAction={(key) => {
                close();
                commands.get(String(key))?.run();
              }}
              renderEmptyState={() => <p className="hint none-found">{text('form.noneFound')}</p>}
            >
              {(section) => (
                <ListBoxSection id={section.id}>
                  <Header className="palette-head">{section.label}</Header>
                  <Collection items={section.commands}>
                    {({ id, label, icon: Icon, detail, keys }) => (
                      <ListBoxItem id={id} textValue={label} className="option">
                        <Icon size={16} aria-hidden />
                        <span className="ellipsis">{label}</span>
                        {detail && <span className="hint ellipsis">{detail}</span>}
                        {keys && !detail && <KeyHint keys={keys} />}
                      </ListBoxItem>
                    )}
                  </Collection>
                </ListBoxSection>
              )}
            </ListBox>
          </Autocomplete>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
