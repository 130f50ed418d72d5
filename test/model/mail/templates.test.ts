import { expect, test } from '@jest/globals';
import { labelText, languages } from '../../../src/model/labels.ts';
import { fillMailTemplate, mailNames } from '../../../src/model/mail/templates.ts';

test('Every mail is worded in every language, without values in its subject', () => {
  for (const name of mailNames) {
    for (const language of languages) {
      for (const key of [`mail.${name}.subject`, `mail.${name}.text`])
        expect(labelText(key, language)).not.toBe(key);
      expect(labelText(`mail.${name}.subject`, language)).toMatch(/^[^{}\n]+$/);
    }
  }
});

test('A value is a line, and is not filled in itself', () => {
  const { text } = fillMailTemplate('permission', 'en', {
    granter: 'a\r\nb',
    holder: '{title}',
    title: 'x'.repeat(1000),
  });
  expect(text.split('\n')[0]).toBe(`a b granted the permission  on "${'x'.repeat(500)}" to {title}.`);
});
