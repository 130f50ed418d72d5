import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorSelection, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import {
  Bold,
  Code,
  FileSymlink,
  Heading,
  Italic,
  Link,
  List,
  ListOrdered,
  ListTodo,
  type LucideIcon,
  Quote,
  Table,
} from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Toolbar } from 'react-aria-components';
import { send } from '../graphql/client.ts';
import { suggestions } from '../graphql/operations.ts';
import { IconButton } from '../parts/button.tsx';
import { keysText } from '../parts/key-texts.ts';
import { type TextKey, text } from '../texts/text.ts';
import { type Attachments, usePictures } from './note-pictures.ts';

interface NoteEditorProps {
  readonly label: string;
  readonly value: string;
  /** The media type of the text. Markdown has a toolbar, and is shown as it will look. */
  readonly format: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  /** The names of the attachments of the note, and a function that attaches pictures; absent if it has none. */
  readonly attachments?: Attachments | undefined;
}

/** The colors and sizes of the editor. Custom properties are those of the page. */
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--paper)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '1rem 1.1rem', caretColor: 'var(--ink)', minHeight: '22rem' },
  '&.is-plain .cm-content': { fontFamily: 'ui-monospace, monospace', fontSize: '0.95em' },
  '.cm-line': { padding: '0' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: 'var(--deep-shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.3rem 0.7rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--ink)',
    backgroundColor: 'var(--hover)',
  },
});

/** Shows Markdown as it will look. The signs themselves stay visible, in a softer color. */
const looks = HighlightStyle.define([
  { tag: tags.heading1, fontSize: '1.5em', fontWeight: '650' },
  { tag: tags.heading2, fontSize: '1.25em', fontWeight: '650' },
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.monospace, fontFamily: 'ui-monospace, monospace', color: 'var(--warm)' },
  { tag: tags.quote, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: 'var(--soft)' },
]);

/** Matches what is typed after `[[`, up to the cursor. */
const linkStart = /\[\[([^[\]\n]*)$/;

/** Suggests documents for what is typed after `[[`. A chosen one becomes a link to it. */
async function suggestLinks(context: CompletionContext): Promise<CompletionResult | null> {
  const typed = context.matchBefore(linkStart);
  const term = typed?.text.slice('[['.length).trim() ?? '';
  if (!typed || term.length < 2) return null;
  const { searchSuggestersLauncher } = await send(suggestions, { term });
  const found = (searchSuggestersLauncher.json ?? []) as ReadonlyArray<
    Record<'type' | 'id' | 'label', string>
  >;
  return {
    from: typed.from,
    filter: false, // The server has already found the documents that match, including after a typo.
    options: found
      .filter(({ type }) => type === 'document')
      .map(({ id, label }) => ({
        label,
        apply: `[${label.replaceAll(/[[\]]/g, '')}](${new URL(`document/${id}`, document.baseURI).href})`,
      })),
  };
}

const isMarkdown = (format: string): boolean => /markdown/.test(format);

const formatExtensions = (format: string): Extension =>
  isMarkdown(format)
    ? [
        markdown({ base: markdownLanguage }),
        syntaxHighlighting(looks),
        autocompletion({ override: [suggestLinks], icons: false }),
      ]
    : EditorView.editorAttributes.of({ class: 'is-plain' });

/** Puts signs around the selected text, or removes them if they are there. */
const around =
  (sign: string) =>
  (view: EditorView): boolean => {
    const change = view.state.changeByRange(({ from, to }) => {
      const { doc } = view.state;
      const isSet =
        doc.sliceString(from - sign.length, from) === sign && doc.sliceString(to, to + sign.length) === sign;
      return isSet
        ? {
            changes: [
              { from: from - sign.length, to: from },
              { from: to, to: to + sign.length },
            ],
            range: EditorSelection.range(from - sign.length, to - sign.length),
          }
        : {
            changes: [
              { from, insert: sign },
              { from: to, insert: sign },
            ],
            range: EditorSelection.range(from + sign.length, to + sign.length),
          };
    });
    view.dispatch(view.state.update(change, { userEvent: 'input' }));
    return true;
  };

/** Puts a sign before each selected line, or removes it if each line has it. */
const before =
  (sign: string) =>
  (view: EditorView): boolean => {
    const { doc, selection } = view.state;
    const { from, to } = selection.main;
    const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number];
    const lines = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index));
    const areSet = lines.every((line) => line.text.startsWith(sign));
    const changes = view.state.changes(
      lines.map((line) =>
        areSet ? { from: line.from, to: line.from + sign.length } : { from: line.from, insert: sign },
      ),
    );
    // A cursor at the start of a line goes behind the sign, so that what is typed next comes after it.
    view.dispatch({ changes, selection: selection.map(changes, 1), userEvent: 'input' });
    return true;
  };

/** Makes the selected text the text of a link, and selects the place of its address. */
function link(view: EditorView): boolean {
  const change = view.state.changeByRange(({ from, to }) => ({
    changes: [
      { from, insert: '[' },
      { from: to, insert: '](https://)' },
    ],
    range: EditorSelection.range(to + '[]('.length, to + '[](https://'.length),
  }));
  view.dispatch(view.state.update(change, { userEvent: 'input' }));
  return true;
}

/** Begins a link to a document before the selected text or the cursor, so that documents with this title are suggested. */
function linkDocument(view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  view.dispatch({
    changes: { from, insert: '[[' },
    selection: { anchor: to + '[['.length },
    userEvent: 'input',
  });
  return startCompletion(view);
}

/** Inserts an empty table below the line of the cursor, and selects the heading of its first column. */
function table(view: EditorView): boolean {
  const { doc, selection } = view.state;
  const line = doc.lineAt(selection.main.to);
  const heading = text('editor.column');
  const start = `${line.text.trim() === '' ? '' : '\n\n'}| `;
  const row = (cell: string) => `| ${cell} | ${cell} |`;
  const rows = [row(heading), row('---'), row('   '), row('   ')].join('\n');
  const anchor = line.to + start.length;
  view.dispatch({
    changes: { from: line.to, insert: `${start}${rows.slice('| '.length)}\n\n` },
    selection: { anchor, head: anchor + heading.length },
    userEvent: 'input',
  });
  return true;
}

interface Command {
  readonly label: TextKey;
  readonly icon: LucideIcon;
  readonly keys?: string;
  readonly run: (view: EditorView) => boolean;
}

/** The buttons of the toolbar for Markdown. */
const commands: readonly Command[] = [
  { label: 'editor.bold', icon: Bold, keys: 'Mod+B', run: around('**') },
  { label: 'editor.italic', icon: Italic, keys: 'Mod+I', run: around('*') },
  { label: 'editor.code', icon: Code, keys: 'Mod+E', run: around('`') },
  { label: 'editor.heading', icon: Heading, run: before('## ') },
  { label: 'editor.list', icon: List, run: before('- ') },
  { label: 'editor.numbered', icon: ListOrdered, run: before('1. ') },
  { label: 'editor.checklist', icon: ListTodo, run: before('- [ ] ') },
  { label: 'editor.quote', icon: Quote, run: before('> ') },
  { label: 'editor.link', icon: Link, run: link },
  { label: 'editor.linkDocument', icon: FileSymlink, run: linkDocument },
  { label: 'editor.table', icon: Table, run: table },
];

const commandKeys = commands.flatMap(({ keys, run }) =>
  keys === undefined
    ? []
    : [{ key: keys.replace('+', '-').replace(/.$/, (letter) => letter.toLowerCase()), run }],
);

/**
 * An editor for the text of a note. It is in a shadow root, because CodeMirror can then add its styles without a
 * `<style>` element, which the page's Content-Security-Policy forbids.
 */
export function NoteEditor({ label, value, format, error, onChange, attachments }: NoteEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const listener = useRef(onChange);
  listener.current = onChange;
  const language = useRef(new Compartment());
  const { isSending, insert } = usePictures(attachments);
  /** Takes pictures that are pasted or dropped. @returns whether there are files, so that the editor ignores them */
  const take = (view: EditorView, files: FileList | undefined, at?: number | null) => {
    if (!files || files.length === 0) return false;
    if (typeof at === 'number') view.dispatch({ selection: { anchor: at } });
    void inserting.current([...files], (markdownText) => {
      view.dispatch(view.state.replaceSelection(markdownText));
      view.focus();
    });
    return true;
  };
  const inserting = useRef(insert);
  inserting.current = insert;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other effects pass later values to the same editor
  useEffect(() => {
    const root = host.current?.shadowRoot ?? host.current?.attachShadow({ mode: 'open' });
    if (!root) return;
    const view: EditorView = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        extensions: [
          history(),
          keymap.of([...completionKeymap, ...commandKeys, ...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
          EditorView.domEventHandlers({
            paste: ({ clipboardData }) =>
              // Spreadsheets and word processors also copy a picture of the text.
              clipboardData?.getData('text/plain') === '' && take(view, clipboardData.files),
            drop: (event) => {
              const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
              return take(view, event.dataTransfer?.files, at);
            },
          }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) listener.current(state.doc.toString());
          }),
          language.current.of(formatExtensions(format)),
          theme,
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, []);
  useEffect(() => {
    editor.current?.dispatch({ effects: language.current.reconfigure(formatExtensions(format)) });
  }, [format]);
  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);
  const press = ({ run }: Command) => {
    const view = editor.current;
    if (!view) return;
    run(view);
    view.focus();
  };
  return (
    <div
      className="field note-field"
      aria-busy={isSending}
      {...(error !== undefined && { 'data-invalid': true })}
    >
      <span className="label">{label}</span>
      <div className="note-editor">
        {isMarkdown(format) && (
          <Toolbar aria-label={text('editor.format')} className="note-tools">
            {commands.map((command) => (
              <IconButton
                key={command.label}
                label={
                  command.keys ? `${text(command.label)} (${keysText(command.keys)})` : text(command.label)
                }
                icon={command.icon}
                onPress={() => press(command)}
              />
            ))}
          </Toolbar>
        )}
        {/* The role and the attribute keep the page from taking the keys that are typed here for its own. */}
        <div ref={host} role="presentation" data-editor className="note-host" />
      </div>
      {isSending && (
        <p className="hint" role="status">
          {text('editor.sending')}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
