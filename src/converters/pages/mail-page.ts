import escapeHtml from 'escape-html';
import type { Address, Attachment } from 'postal-mime';
import { withWindowsSigns } from '../../blobs/legacy-encoding.ts';
import type { Converter } from '../converter.ts';
import { asPage } from '../texts/html-pages.ts';
import { textLimit } from '../texts/text-limit.ts';
import { readWhole } from '../whole-file.ts';
import { sizeText } from './size-text.ts';

/** The maximum number of bytes of the pictures that are shown inside the text of a mail. */
const maxPictureBytes = 2_000_000;

/** Mails in HTML set colors for a white background. */
const rules = `dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.2rem 1rem;margin:0 0 1rem}dt{opacity:.7}dd{margin:0}
h1{font-size:1.25rem;margin:0 0 .75rem}hr{border:0;border-top:1px solid #8886}.paper{color-scheme:light;color:#000;background:#fff}ul{list-style:"📎 ";padding-left:1.6rem}`;

const personText = ({ name, address }: Address): string =>
  name && address ? `${name} <${address}>` : name || (address ?? '');

const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));

/** Replaces references to pictures in the mail, such as `cid:logo`, with the pictures. */
function withPictures(html: string, attachments: readonly Attachment[]): string {
  let left = maxPictureBytes;
  let shown = html;
  for (const attachment of attachments) {
    const { contentId, mimeType } = attachment;
    const bytes = bytesOf(attachment);
    if (!contentId || !/^image\/(png|jpeg|gif|webp)$/.test(mimeType) || bytes.length > left) continue;
    left -= bytes.length;
    const id = contentId.replaceAll(/^<|>$/g, '');
    shown = shown.replaceAll(`cid:${id}`, () => `data:${mimeType};base64,${bytes.toString('base64')}`);
  }
  return shown;
}

/**
 * Converts a mail to a page with its headers, its text and a list of its attachments. The markup of the mail stays as it
 * is, because previews are shown in a frame that neither runs scripts nor loads anything.
 */
export const mailPage: Converter = {
  name: 'mail2html',
  makes: 'html',
  takes: ['message/rfc822'],
  convert: async ({ file }) => {
    const { default: PostalMime } = await import('postal-mime');
    const mail = await PostalMime.parse(await readWhole(file));
    const people = (list: readonly Address[] = []) => list.map(personText).join(', ');
    const facts = [
      ['From', mail.from && personText(mail.from)],
      ['To', people(mail.to)],
      ['Cc', people(mail.cc)],
      ['Date', mail.date],
    ].filter(([, value]) => value);
    const list = facts.map(
      ([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(withWindowsSigns(value ?? ''))}</dd>`,
    );
    const files = mail.attachments.filter(
      ({ filename, disposition }) => filename || disposition === 'attachment',
    );
    const attached = files.map(
      (each) => `<li>${escapeHtml(each.filename ?? '')} (${sizeText(bytesOf(each).length)})</li>`,
    );
    const body = mail.html
      ? `<div class="paper">${withPictures(mail.html.slice(0, textLimit), mail.attachments)}</div>`
      : `<pre>${escapeHtml(withWindowsSigns(mail.text ?? '').slice(0, textLimit))}</pre>`;
    return asPage(
      [
        `<h1>${escapeHtml(withWindowsSigns(mail.subject ?? ''))}</h1><dl>${list.join('')}</dl>`,
        attached.length > 0 ? `<ul>${attached.join('')}</ul>` : '',
        `<hr>${body}`,
      ].join('\n'),
      rules,
    );
  },
};
