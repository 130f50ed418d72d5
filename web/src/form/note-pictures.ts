import { useEffect, useId, useRef, useState } from 'react';
import { useAskBeforeLeaving } from '../parts/leaving.ts';
import { notify } from '../parts/notices.tsx';
import { sizeText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { sendFile } from '../uploads/send-file.ts';

/** The attachments of a note. */
export interface Attachments {
  readonly names: readonly string[];
  /** Attaches uploaded files. They are stored when the note is saved. */
  readonly add: (blobs: readonly object[]) => void;
}

/** The types of pictures that a preview of a note shows. */
const pictureType = /^image\/(png|jpeg|gif|webp|avif)$/;

/** The maximum size of a picture in bytes, and the maximum number of pictures that are inserted at once. */
const maxBytes = 4_000_000;
const maxPictures = 10;

/** Adds a number to a name that an attachment has already, as in `image-2.png`. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const [, base = name, ending = ''] = /^(.*?)(\.\w+)?$/.exec(name) ?? [];
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${base}-${number}${ending}`;
  return free;
}

/** A picture in Markdown, whose address is the name of the attachment. */
const markdownOf = (name: string): string =>
  `![${name.replace(/\.\w+$/, '').replaceAll(/[[\]\\]/g, '')}](${encodeURIComponent(name).replaceAll(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))})`;

/** Returns why files cannot be inserted as pictures; undefined if they can. */
function reasonAgainst(files: readonly File[], attachments: Attachments | undefined): string | undefined {
  if (!attachments) return text('editor.noAttachments');
  const other = files.find(({ type }) => !pictureType.test(type));
  if (other) return text('editor.notPicture', { name: other.name });
  const large = files.find(({ size }) => size > maxBytes);
  if (large) return text('editor.tooLarge', { name: large.name, size: sizeText(maxBytes) });
  return files.length > maxPictures ? text('editor.tooMany', { count: maxPictures }) : undefined;
}

/**
 * Uploads pictures and attaches them to a note. They are attachments, because whoever can write the text can also write
 * these, and because they are saved, versioned, copied and shared with the note.
 */
export function usePictures(attachments: Attachments | undefined) {
  const [isSending, setSending] = useState(false);
  const latest = useRef(attachments);
  useEffect(() => {
    latest.current = attachments;
  });
  const canceling = useRef(new AbortController());
  useEffect(() => {
    canceling.current = new AbortController();
    return () => canceling.current.abort();
  }, []);
  useAskBeforeLeaving(useId(), isSending);
  const insert = async (files: readonly File[], show: (markdown: string) => void) => {
    const reason = reasonAgainst(files, latest.current);
    if (reason !== undefined) return notify({ kind: 'failed', message: reason });
    const { signal } = canceling.current;
    setSending(true);
    try {
      const taken = new Set(latest.current?.names);
      const sent: Array<{ readonly name: string }> = [];
      for (const file of files) {
        const name = freeName(file.name, taken);
        taken.add(name);
        const named = new File([file], name, { type: file.type });
        const batch = await sendFile(named, { signal, onSent: () => undefined });
        const blob = { name, 'upload-batch': batch, 'upload-fileId': '0', length: file.size };
        sent.push(blob);
      }
      latest.current?.add(sent);
      show(sent.map(({ name }) => markdownOf(name)).join('\n'));
    } catch (error) {
      if (!signal.aborted) notify({ kind: 'failed', message: (error as Error).message });
    }
    setSending(false);
  };
  return { isSending, insert };
}
