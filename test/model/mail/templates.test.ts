import { expect, test } from '@jest/globals';
import { fillMailTemplate, type MailTemplateName, mailTemplates } from '../../../src/model/mail/templates.ts';

const names = Object.keys(mailTemplates.en) as MailTemplateName[];
const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test('Every mail is in every language, with the same values and none in its subject', () => {
  for (const templates of Object.values(mailTemplates)) {
    expect(Object.keys(templates)).toEqual(names);
    for (const name of names) {
      expect(values(templates[name].subject)).toEqual([]);
      expect(values(templates[name].text)).toEqual(values(mailTemplates.en[name].text));
    }
  }
});

test('A value is a line, and is not filled in itself', () => {
  const { text } = fillMailTemplate('permission', 'en', {
    granter: 'a\r\nb',
    holder: '{title}',
    title: 'x'.repeat(1000),
  });
  expect(text.split('\n')[0]).toBe(`a b gives {title} the permission  on "${'x'.repeat(500)}".`);
});
