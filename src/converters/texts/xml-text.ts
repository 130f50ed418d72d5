import type { Readable } from 'node:stream';

type Attributes = Readonly<Record<string, string>>;

/**
 * Rules for extracting the visible text of an XML format. Element names include their prefix unless `isLocal` is true.
 */
export interface XmlRules {
  /**
   * Whether elements are identified by their local names. Office Open XML files can use any prefixes; OpenDocument
   * files always use the same ones in practice.
   */
  readonly isLocal: boolean;
  /** The elements from which text is extracted, including the text of their descendants. */
  readonly texts: ReadonlySet<string>;
  /** The elements that start and end a line, even inside an element from which text is extracted. */
  readonly ends: ReadonlySet<string>;
  /** The elements that are skipped with all of their descendants. */
  readonly hidden: ReadonlySet<string>;
  /** Called for each opening tag. Returns the visible text in its attributes, such as the name of a sheet. */
  readonly shown?: (name: string, attributes: Attributes) => string | undefined;
  /** Returns the stored value of a cell. It is also extracted if it differs from the displayed text. */
  readonly value?: (name: string, attributes: Attributes) => string | undefined;
  /** Formats the text of an element as the program would display it. By default, the text is not changed. */
  readonly format?: (text: string, element: string) => string;
}

/**
 * Returns the decoder for an XML file: UTF-16 if there is a byte order mark, otherwise UTF-8, which office programs
 * use.
 */
const decoderOf = ([first, second]: Uint8Array): TextDecoder =>
  new TextDecoder(
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8',
  );

/** Collects the text of an XML file, element by element. */
class XmlText {
  readonly #rules: XmlRules;
  readonly #pieces: string[] = [];
  readonly #texts: string[] = []; // the open elements from which text is extracted
  readonly #cells: Array<{ readonly value: string; readonly from: number }> = [];
  #hidden = 0; // the number of open elements that are skipped
  length = 0;

  constructor(rules: XmlRules) {
    this.#rules = rules;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  #add(piece: string): void {
    this.#pieces.push(piece);
    this.length += piece.length;
  }

  #end(name: string): void {
    if (this.#hidden === 0 && this.#rules.ends.has(name) && (this.#pieces.at(-1) ?? '\n') !== '\n')
      this.#add('\n');
  }

  open(name: string, attributes: Attributes): void {
    const { texts, hidden, shown, value } = this.#rules;
    if (hidden.has(name)) this.#hidden += 1;
    this.#end(name);
    if (texts.has(name)) this.#texts.push(name);
    const seen = shown?.(name, attributes);
    if (seen !== undefined && this.#hidden === 0) this.#add(seen);
    const cell = value?.(name, attributes);
    if (cell !== undefined) this.#cells.push({ value: cell, from: this.#pieces.length });
  }

  /** @param attributes the attributes of the element that is being closed */
  close(name: string, attributes: Attributes): void {
    const { texts, hidden, value } = this.#rules;
    if (value?.(name, attributes) !== undefined) {
      const { value: raw, from } = this.#cells.pop() ?? { value: '', from: 0 };
      // A stored value is short, so a long text cannot be equal to it. The pieces of a long text are not joined for the
      // comparison, because joining them at each level of nested cells would take quadratic time.
      const isShort = this.#pieces.length - from < 10;
      if (!isShort || this.#pieces.slice(from).join('').trim() !== raw) this.#add(`\n${raw}`);
    }
    if (texts.has(name)) this.#texts.pop();
    this.#end(name);
    if (hidden.has(name)) this.#hidden -= 1;
  }

  write(text: string): void {
    const element = this.#texts.at(-1);
    if (element === undefined || this.#hidden > 0) return;
    this.#add(this.#rules.format?.(text, element) ?? text);
  }
}

/**
 * Extracts the text of an XML file while the file is being read. Entities declared by the file are not expanded.
 * @param maxLength the number of characters after which reading stops.
 * @throws Error if the XML is not well-formed.
 */
export async function textOfXml(bytes: Readable, rules: XmlRules, maxLength: number): Promise<string> {
  const { default: sax } = await import('sax');
  const parser = sax.parser(true);
  const text = new XmlText(rules);
  const open: Attributes[] = [];
  const local = (name: string): string => (rules.isLocal ? name.slice(name.indexOf(':') + 1) : name);
  let fault: Error | undefined;
  parser.onopentag = ({ name, attributes }) => {
    open.push(attributes as Attributes);
    text.open(local(name), attributes as Attributes);
  };
  parser.onclosetag = (name) => text.close(local(name), open.pop() ?? {});
  parser.ontext = (piece) => text.write(piece);
  parser.oncdata = (piece) => text.write(piece);
  parser.onerror = (error) => {
    fault ??= error;
  };
  let decoder: TextDecoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= decoderOf(chunk as Buffer);
    parser.write(decoder.decode(chunk as Buffer, { stream: true }));
    if (fault) throw fault;
    if (text.length >= maxLength) break;
  }
  return text.text;
}
