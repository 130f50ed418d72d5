import type { Converter } from '../converter.ts';
import { archivePages } from './archive-page.ts';
import { codePage } from './code-page.ts';
import { mailPage } from './mail-page.ts';
import { tablePages } from './table-page.ts';

/** The converters whose HTML shows the whole content of a file, so that previews need no other form of it. */
export const contentPages: readonly Converter[] = [...tablePages, mailPage, ...archivePages, codePage];
